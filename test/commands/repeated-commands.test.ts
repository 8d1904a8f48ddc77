// What a repeated command answers, and which states are noted for snapshots.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { makeGuest, rename } from '../../commands/player.ts'
import { NO_SNAPSHOTS } from '../../commands/snapshots.ts'
import { type Player, type PlayerEvent, player } from '../../domain/player.ts'
import { type RecordingRig, recordingRig } from './recording-rig.ts'
import { contextAt, GAME } from './sign-in/sign-in-rig.ts'

describe('the command handler', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  it('answers a repeated command with the states before and after all its events', async () => {
    const { id } = await makeGuest(rig.deps, GAME, 'Ada', contextAt())
    const about = { stream: `player-${id}`, game: GAME, player: id }
    const context = { ...contextAt(), call: 'the call' }
    const named = (name: string): PlayerEvent => ({ type: 'PlayerNamed', data: { name } })
    const twice = () => [named('One'), named('Two')]
    const first = await rig.deps.handler.handle<Player | null, PlayerEvent>(player, about, context, twice)
    await rename(rig.deps, { game: GAME, player: id }, 'Later', contextAt())
    const again = await rig.deps.handler.handle<Player | null, PlayerEvent>(player, about, context, twice)
    expect(again).to.deep.equal({ ...first, replayed: true })
    expect([again.before?.name, again.after?.name, again.events.length]).to.deep.equal(['Ada', 'Two', 2])
  })

  it('notes for a snapshot the states that it read or recorded, and none without new events', async () => {
    const { id } = await makeGuest(rig.deps, GAME, 'Ada', contextAt())
    const revisions: number[] = []
    const note: typeof NO_SNAPSHOTS.note = (_aggregate, _stream, { revision }) => void revisions.push(revision)
    const handler = createHandler(rig.log, { snapshots: { ...NO_SNAPSHOTS, note } })
    const deps = { ...rig.deps, handler }
    for (let n = 0; n < 2; n++) await rename(deps, { game: GAME, player: id }, 'Eve', contextAt())
    expect(revisions).to.deep.equal([0, 1])
  })
})
