// What the operator's rebuilds of views are asked of: node/rebuilds.ts.

/** Each answers how it stands then. */
export interface ViewsRouteDeps {
  status(): Promise<object>
  /** Null: all. Rejects with Refusal. */
  ask(views: readonly string[] | null): Promise<object>
  cancel(): Promise<object>
  back(): Promise<object>
  letGo(): Promise<object>
}
