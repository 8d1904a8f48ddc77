// Compares events, as the history answers them, with the schemas of their types, which allow no unknown field here.

import { EVENT_SCHEMAS, eventLineOf } from '../../http/event-schemas/all.ts'

export interface EventFault {
  readonly type: string
  readonly issues: unknown
}

const lines = new Map([...EVENT_SCHEMAS].map(([type, schema]) => [type, eventLineOf(type, schema)]))

export function faultsOf(events: readonly { readonly type: string }[]): EventFault[] {
  return events.flatMap((event): EventFault[] => {
    const line = lines.get(event.type)
    if (line === undefined) return [{ type: event.type, issues: 'there is no schema of this type' }]
    const parsed = line.safeParse(event)
    return parsed.success ? [] : [{ type: event.type, issues: parsed.error.issues }]
  })
}
