/** Keeps a fault in one pane from taking the page with it: the pane says so and can be tried again. */

import { Component, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import styles from "./shell.module.css";

interface BoundaryProps {
  readonly name: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly error: string | null;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override readonly state: BoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <div className={styles.failure} role="alert">
        <strong>{this.props.name} could not be drawn.</strong>
        <code>{this.state.error}</code>
        <Button onClick={() => this.setState({ error: null })}>Try again</Button>
      </div>
    );
  }
}
