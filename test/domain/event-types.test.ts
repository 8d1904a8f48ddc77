// The list of event types that callers may filter by.

import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { EVENT_TYPES } from '../../domain/event-types.ts'

describe('the list of event types', () => {
  it('contains exactly the types of the frozen examples', () => {
    const frozen: { type: string }[] = JSON.parse(readFileSync(new URL('frozen-events.json', import.meta.url), 'utf8'))
    expect([...EVENT_TYPES].sort()).to.deep.equal([...new Set(frozen.map(({ type }) => type))].sort())
  })
})
