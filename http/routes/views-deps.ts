// What an operator orders of the views as wholes, as routes ask it: cluster/build-orders.ts.

/** Each answers how it stands then. */
export interface ViewsRouteDeps {
  status(): Promise<object>
  /** Null: all. Rejects with Refusal. */
  ask(views: readonly string[] | null): Promise<object>
  cancel(): Promise<object>
  back(): Promise<object>
  letGo(): Promise<object>
}
