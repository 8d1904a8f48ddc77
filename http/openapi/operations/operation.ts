// How the OpenAPI document names and describes a route. Each file here is one group (a tag): its key is the method and
// path of a route, and a generated client has a method of the operation's id in that group.

export interface Operation {
  /** In camel case, unique. */
  readonly id: string
  /** What a caller has to know beyond the summary: effects, order, what it costs, what it never does. Markdown. */
  readonly description: string
}

export interface OperationGroup {
  readonly name: string
  readonly description: string
  readonly operations: Readonly<Record<string, Operation>>
}
