/** The course's labs as the build lists them. */
declare module "virtual:course" {
  export interface CourseLab {
    readonly file: string;
    readonly id: string;
    readonly title: string;
    readonly minutes: number | null;
    readonly level: string | null;
    readonly objectives: readonly string[];
    readonly load: () => Promise<string>;
  }
  export const COURSE: readonly CourseLab[];
}
