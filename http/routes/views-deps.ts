// Rebuilds of views, as the routes use them. Implemented in server/node/build-orders.ts.

/** Each method resolves to the resulting status. */
export interface ViewsRouteDeps {
  status(): Promise<object>
  /** Starts a rebuild. Null: all views. Rejects with Refusal. */
  ask(views: readonly string[] | null): Promise<object>
  cancel(): Promise<object>
  back(): Promise<object>
  discard(): Promise<object>
}
