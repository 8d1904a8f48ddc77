// Formats a player.

import type { Player } from '../clients/javascript/shapes.ts'
import { fieldLines } from './text-table.ts'

export function playerLines({ id, name, created, guest, external_id: externalId, banned }: Player): string[] {
  return fieldLines([
    ['player', id],
    ['name', name ?? '(none)'],
    ['created', created],
    ['kind', guest ? 'guest' : 'made by the tenant'],
    ...(externalId === null ? [] : [['external id', externalId] as const]),
    ...(banned === null ? [] : [['banned', banText(banned)] as const]),
  ])
}

function banText({ since, until, reason }: NonNullable<Player['banned']>): string {
  const end = until === null ? '' : ` until ${until}`
  return `since ${since}${end}${reason === null ? '' : `: ${reason}`}`
}
