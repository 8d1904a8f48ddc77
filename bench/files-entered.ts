// `npx tsx bench/files-entered.ts`: which source files one submission, one `around` and one message in a room enter, by
// V8's coverage of one process with embedded stores, without those that an idle server enters in as long a time.

import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { clientToken, makeBoard, makeGame, signInGuest } from '../test/front-door/game-fixtures.ts'
import { openWorld } from '../test/front-door/world.ts'
import { closeRoomClients, openRoomsFixture } from '../test/realtime/rooms-fixture.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOT_OF_SERVER = /^(test|bench|node_modules)\//
/** Until what a call causes afterwards, as the views, has run. */
const SETTLES_MS = 400
const IDLE_INTERVALS = 10

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Files of the server in which a function was called since the last call of this. */
async function entered(): Promise<Set<string>> {
  await new Promise((wake) => setTimeout(wake, SETTLES_MS))
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called = result.filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
  const paths = called
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => fileURLToPath(url.split('?')[0] ?? ''))
  const own = paths.filter((path) => path.startsWith(ROOT)).map((path) => path.slice(ROOT.length))
  return new Set(own.filter((path) => !NOT_OF_SERVER.test(path)))
}

const world = await openWorld()
const game = await makeGame(world)
const client = await clientToken(world, game)
const guest = await signInGuest(world, game, client, 'Ada')
const board = await makeBoard(world, game)
const submit = (score: string) =>
  world.call('POST', `/api/lb/${board}/score/`, { token: guest.token, body: { score, extra_data: { level: 1 } } })
const around = () => world.call('GET', `/api/lb/${board}/score/?around=${guest.id}&limit=20`, { token: guest.token })
const rooms = await openRoomsFixture(world)
const [one, other] = [await rooms.enter({ name: 'Ada' }), await rooms.enter({ name: 'Bob' })]
const { room } = await one.ask('create', { name: 'Den' })
await other.ask('join', { room: room.id })
const message = async (n: number) => {
  await one.ask('send', { room: room.id, data: { n } })
  await other.next('message')
}
// Once each, so that what is done at the first time only is not counted.
await submit('1')
await around()
await message(0)

await entered()
const idle = new Set<string>()
for (let n = 0; n < IDLE_INTERVALS; n++) for (const file of await entered()) idle.add(file)
const MEASURED: Readonly<Record<string, () => Promise<unknown>>> = {
  submission: () => submit('2'),
  around,
  'room message': () => message(1),
}
for (const [name, run] of Object.entries(MEASURED)) {
  const answer = await run()
  const files = [...(await entered())].filter((file) => !idle.has(file)).sort()
  const { status } = (answer ?? {}) as { readonly status?: number }
  process.stdout.write(`${name}${status === undefined ? '' : ` (${status})`}: ${files.length} files\n`)
  for (const file of files) process.stdout.write(`  ${file}\n`)
}
closeRoomClients()
await world.close()
process.exit(0)
