// What a game with types of its own writes. It is compiled against the packed client; the lines that must not compile say so.

import { connect, type JsonValue, type ScoresPage } from '@scorebook/client'
import { createOutbox } from '@scorebook/client/outbox'
import { connectRooms } from '@scorebook/client/rooms'
import { connect as connectServer } from '@scorebook/client/server'
import { verifyMessage } from '@scorebook/client/webhooks'

interface Run {
  readonly level: number
  readonly splits?: readonly string[]
}

const run: Run = { level: 3 }
const value: JsonValue = run
const client = await connect({ baseUrl: 'http://127.0.0.1', key: { prefix: 'ck_', secret: 's' } })
const player = await client.asGuest('game')
const best = await player.submit('weekly', { score: '1', extra_data: run })
const levels: number[] = [best.extra_data.level]
const page: ScoresPage<Run> = await player.scores<Run>('weekly')
for (const { extra_data: extra } of page.scores) levels.push(extra.level)
levels.push((await player.score<Run>(best.id)).extra_data.level)
const outbox = createOutbox(player)
await outbox.submit('weekly', { score: '2', extra_data: run })
const server = await connectServer({ baseUrl: 'http://127.0.0.1', key: { prefix: 'sk_', secret: 's' } })
await server.submit('weekly', { score: '3', player: (await server.whoIs('token')).id, extra_data: run })
// @ts-expect-error: the level is a number
await player.submit<Run>('weekly', { score: '1', extra_data: { level: 'three' } })
// @ts-expect-error: a score is a text
await player.submit('weekly', { score: 1 })
// @ts-expect-error: it may be any JSON, which has no level
levels.push((await player.score(best.id)).extra_data.level)

export { connectRooms, levels, value, verifyMessage }
