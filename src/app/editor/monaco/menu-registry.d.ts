/** What is used of Monaco's registry of menus, which the package has no types for. */
declare module "monaco-editor/platform/actions/common/actions" {
  type Menu = { readonly brand: "MenuId" };
  type Item = { readonly command: { readonly id: string; readonly title: unknown } } | { readonly submenu: Menu };
  export const MenuId: { readonly EditorContext: Menu; readonly EditorContextPeek: Menu };
  export const MenuRegistry: { getMenuItems(menu: Menu): readonly Item[] };
}
