/** The icons: 16 × 16 line drawings of our own, drawn in the text's colour and hidden from screen readers. */

const PATHS = {
  into: "M8 2v7M5 6.5 8 9.5l3-3M4 13h8",
  backOver: "M13.5 9a5.5 5.5 0 0 0-11 0M2.5 5.5V9H6M8 12.5v.01",
  backOut: "M8 10V3M5 5.5 8 2.5l3 3M4 13h2M10 13h2",
  over: "M2.5 9a5.5 5.5 0 0 1 11 0M13.5 5.5V9H10M8 12.5v.01",
  out: "M8 10V3M5 5.5 8 2.5l3 3M4 13h8",
  backInto: "M8 2v7M5 6.5 8 9.5l3-3M4 13h2M10 13h2",
  stepForward: "M5 3v10l7-5z",
  stepBack: "M11 3v10L4 8z",
  next: "M6 3l5 5-5 5",
  previous: "M10 3L5 8l5 5",
  nextChange: "M3 3l5 5-5 5M13 3v10",
  previousChange: "M13 3L8 8l5 5M3 3v10",
  nextPhase: "M3 3l4.5 5L3 13M8.5 3 13 8l-4.5 5",
  previousPhase: "M13 3 8.5 8l4.5 5M7.5 3 3 8l4.5 5",
  start: "M4 3v10M13 3 7 8l6 5z",
  end: "M12 3v10M3 3l6 5-6 5z",
  breakpointNext: "M2 4l4 4-4 4M11.5 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  breakpointPrevious: "M14 4l-4 4 4 4M4.5 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  target: "M8 2v3M8 11v3M2 8h3M11 8h3M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  chevronDown: "M4 6l4 4 4-4",
  chevronRight: "M6 4l4 4-4 4",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5l3.5 3.5L13 4.5",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  moon: "M13.5 9.5A5.5 5.5 0 0 1 6.5 2.5a5.5 5.5 0 1 0 7 7z",
  link: "M6.5 9.5l3-3M7 4.5l1-1a3 3 0 0 1 4.5 4.5l-1 1M9 11.5l-1 1A3 3 0 0 1 3.5 8l1-1",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5 14 14",
  play: "M4.5 3v10l8-5z",
  warning: "M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 12v.01",
  error: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3.5M8 11v.01",
  info: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7.5V11M8 5v.01",
  question: "M5.5 6A2.5 2.5 0 1 1 9 8.3c-.7.3-1 .8-1 1.7M8 12.5v.01",
  book: "M3 3h4a1.5 1.5 0 0 1 1.5 1.5V13A1.5 1.5 0 0 0 7 12H3zM13.5 3H10a1.5 1.5 0 0 0-1.5 1.5V13A1.5 1.5 0 0 1 10 12h3.5z",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  large: "M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9",
  small: "M13.5 6.5h-4v-4M9.5 6.5 14 2M2.5 9.5h4v4M6.5 9.5 2 14",
  more: "M3.5 8v.01M8 8v.01M12.5 8v.01",
  lanes: "M3 4h6M3 8h10M3 12h4",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5",
  command: "M3 4h10M3 8h10M3 12h6",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  swap: "M3 5.5h10M10 2.5l3 3-3 3M13 10.5H3M6 7.5l-3 3 3 3",
  reset: "M3 8a5 5 0 1 1 1.5 3.5M3 12.5V9h3.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
