// Which keys a restore narrows: those that had more at the point than they have in the newest backup.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { JsonObject, StoredEvent } from '../../../domain/event.ts'
import { type KeyEvent, keyStream } from '../../../domain/key.ts'
import { collectNarrowedKeys } from '../../../portability/backup/narrowed-keys.ts'

const GAME = 'g1'

const eventOf = (type: KeyEvent['type'], data: JsonObject, game = GAME): StoredEvent => {
  const meta = { v: 1, game, command: 'c', actor: null, request: null, time: '2026-01-01T00:00:00.000Z' }
  return { id: randomUUID(), type, data, meta, stream: keyStream('sk_one'), revision: 0, position: '1' }
}
const issued = (...permissions: string[]) => eventOf('KeyIssued', { game: GAME, permissions })
const changed = (...permissions: string[]) => eventOf('KeyPermissionsChanged', { permissions })

/** The permissions of the only key, if it is narrowed. */
function narrowed(before: readonly StoredEvent[], after: readonly StoredEvent[], deleted: readonly string[] = []) {
  const keys = collectNarrowedKeys()
  for (const event of before) keys.add(event, true)
  for (const event of after) keys.add(event, false)
  return keys.list(new Set(deleted)).map(({ prefix, game, permissions }) => [prefix, game, ...permissions])
}

describe('the keys that a restore narrows', () => {
  it('get what they had at the point and still have', () => {
    const found = narrowed([issued('lb:*:*', 'submit_for')], [changed('lb:a:scores', 'bkt:*:files')])
    expect(found).to.deep.equal([['sk_one', GAME, 'lb:a:scores']])
  })

  it('get nothing back that was withdrawn and given again in another form', () => {
    expect(narrowed([issued('a:*')], [changed(), changed('a:b')])).to.deep.equal([['sk_one', GAME, 'a:b']])
  })

  it('do not include keys that have as much or more now, or the same again', () => {
    expect(narrowed([issued('lb:*:scores')], [changed('lb:*:*')])).to.deep.equal([])
    expect(narrowed([issued('a', 'b')], [changed('a'), changed('b', 'a')])).to.deep.equal([])
  })

  it('do not include keys that did not exist yet, are revoked, or are of a deleted game', () => {
    expect(narrowed([], [issued('a'), changed()])).to.deep.equal([])
    expect(narrowed([issued('a')], [changed(), eventOf('KeyRevoked', {})])).to.deep.equal([])
    expect(narrowed([eventOf('KeyIssued', {})], [eventOf('KeyPermissionsChanged', {})], [GAME])).to.deep.equal([])
  })
})
