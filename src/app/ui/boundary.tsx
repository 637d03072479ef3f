/** Contains an error in one pane: the pane shows it and can be tried again. */

import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { isNotLoaded, messageOf } from "./failure.ts";
import { Stack } from "./layout.tsx";

interface BoundaryProps {
  readonly name: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly error: string | null;
  /** Trying again would not help: a script did not arrive. */
  readonly notLoaded: boolean;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override readonly state: BoundaryState = { error: null, notLoaded: false };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error: messageOf(error), notLoaded: isNotLoaded(error) };
  }

  override render(): ReactNode {
    const { error, notLoaded } = this.state;
    if (error === null) return this.props.children;
    if (notLoaded)
      return (
        <Stack align="start" gap={2} pad={4} scroll role="alert">
          <strong>{this.props.name} could not be loaded.</strong>
          <p>{error}</p>
          <Button onClick={() => window.location.reload()}>Reload the page</Button>
        </Stack>
      );
    return (
      <Stack align="start" gap={2} pad={4} scroll role="alert">
        <strong>{this.props.name} could not be drawn.</strong>
        <code>{error}</code>
        <Button onClick={() => this.setState({ error: null, notLoaded: false })}>Try again</Button>
      </Stack>
    );
  }
}
