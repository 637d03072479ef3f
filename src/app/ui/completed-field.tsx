/** A text field that offers completions during typing: arrows choose, Enter or Tab accepts, Escape closes the list. */

import { Autocomplete } from "@base-ui/react/autocomplete";
import { useId, useRef, useState } from "react";
import { cx } from "./cx.ts";
import field from "./field.module.css";
import { Stack } from "./layout.tsx";
import menu from "./menu.module.css";
import { plural } from "./plural.ts";

export interface CompletedFieldProps {
  readonly label: string;
  readonly value: string;
  /** The complete texts that the current one may become. */
  readonly completions: readonly string[];
  readonly onChange: (value: string) => void;
  /** Enter where no completion is chosen. */
  readonly onSubmit: () => void;
  readonly error: string | null;
  readonly placeholder?: string;
}

export function CompletedField({ label, value, completions, onChange, onSubmit, error, placeholder }: CompletedFieldProps) {
  const id = useId();
  const chosen = useRef<string | undefined>(undefined);
  const [open, setOpen] = useState(false);
  return (
    <Stack gap="hair" grow className={field.field}>
      <label htmlFor={id}>{label}</label>
      {/* Above the field, which stays in line with the buttons after it. */}
      {error === null ? null : (
        <span id={`${id}-error`} className="tone-error">
          {error}
        </span>
      )}
      <Autocomplete.Root
        items={completions}
        mode="none"
        // An open list hides what is around it from screen readers: not while it is empty, or nothing is typed.
        open={open && value !== "" && completions.length > 0}
        onOpenChange={setOpen}
        value={value}
        onValueChange={onChange}
        onItemHighlighted={(item) => {
          chosen.current = item;
        }}
      >
        <Autocomplete.Input
          id={id}
          className={"input mono"}
          placeholder={placeholder}
          aria-invalid={error === null ? undefined : true}
          aria-describedby={error === null ? undefined : `${id}-error`}
          spellCheck={false}
          onKeyDown={(event) => {
            if (event.key === "Enter" && chosen.current === undefined) onSubmit();
            else if (event.key === "Tab" && !event.shiftKey && chosen.current !== undefined) {
              onChange(chosen.current);
              event.preventDefault();
            }
          }}
        />
        <Autocomplete.Portal>
          <Autocomplete.Positioner className={menu.positioner} align="start" sideOffset={4}>
            <Autocomplete.Popup className={cx(menu.popup, "floating")}>
              <Autocomplete.Status className="visually-hidden">{plural(completions.length, "completion")}</Autocomplete.Status>
              <Autocomplete.List>
                {(item: string) => (
                  <Autocomplete.Item key={item} value={item} className={cx(menu.item, "mono")}>
                    {item}
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
    </Stack>
  );
}
