// Runs the scripted cases through this project's client: its calls with their retries, and its rooms.

import { createBearer, createClock } from '../../client/bearer.ts'
import { type Caller, createCaller, pathTo } from '../../client/caller.ts'
import { type Client, connect } from '../../client/connect.ts'
import { ProblemError } from '../../client/problem.ts'
import { RoomsError } from '../../client/room-shapes.ts'
import type { ApiKey } from '../../client/signing.ts'
import { createTransport, type Sending } from '../../client/transport.ts'
import type { CallStep, EmitStep, Step, Suite } from './cases.ts'
import { difference, filled, textAt } from './matching.ts'
import { faultyFetch } from './network.ts'
import { createRoomsUnderTest, type RoomsUnderTest } from './rooms-under-test.ts'

/** Everything that the cases of a suite share. */
interface Scene {
  readonly callers: ReadonlyMap<string, Caller>
  readonly game: string
  readonly names: ReadonlyMap<string, string>
  readonly network: ReturnType<typeof faultyFetch>
}

export interface Outcome {
  readonly name: string
  /** Null if the case has passed. */
  readonly failure: string | null
}

export async function runSuite(suite: Suite, baseUrl: string, operatorKey: ApiKey): Promise<readonly Outcome[]> {
  const network = faultyFetch()
  const operator = await connect({ baseUrl, key: operatorKey })
  const scene = await makeScene(operator, { baseUrl, fetch: network.fetch })
  const names = new Map(scene.names)
  await runSteps({ ...scene, network }, suite.setup, names, null)
  const outcomes: Outcome[] = []
  for (const { name, steps } of suite.cases) {
    const rooms = createRoomsUnderTest()
    try {
      await runSteps({ ...scene, network }, steps, new Map(names), rooms)
      outcomes.push({ name, failure: null })
    } catch (error) {
      outcomes.push({ name, failure: error instanceof Error ? error.message : String(error) })
    } finally {
      network.next([])
      rooms.close()
    }
  }
  return outcomes
}

/** A game with its keys, a leaderboard, and the guests Ada and Bob. */
async function makeScene(
  operator: Client,
  options: { readonly baseUrl: string; readonly fetch: typeof fetch },
): Promise<Omit<Scene, 'network'>> {
  const { game, key } = await operator.createGame('Conformance')
  const server = await connect({ ...options, key })
  const board = await server.createLeaderboard(game.id, { name: 'High scores', ordering: 'desc' })
  const clientKey = await server.issueKey(game.id, { name: 'game', kind: 'client', algorithm: 'hmac-sha256' })
  const client = await connect({ ...options, key: clientKey })
  const [ada, bob] = [await client.asGuest(game.id, { name: 'Ada' }), await client.asGuest(game.id, { name: 'Bob' })]
  const transport = createTransport(options)
  const callerOf = (renew: () => Promise<string>) => {
    const bearer = createBearer(
      null,
      async () => ({ token: await renew(), expires_at: Infinity }),
      createClock(Date.now),
    )
    return createCaller(transport, bearer)
  }
  const callers = new Map(
    Object.entries({
      server: callerOf(() => server.token()),
      client: callerOf(() => client.token()),
      ada: callerOf(async () => (await ada.refresh()).token),
      bob: callerOf(async () => (await bob.refresh()).token),
    }),
  )
  const names = new Map(Object.entries({ game: game.id, board: board.id, ada: ada.player.id, bob: bob.player.id }))
  return { callers, game: game.id, names }
}

/** Throws at the first step that goes otherwise. */
async function runSteps(
  scene: Scene,
  steps: readonly Step[],
  names: Map<string, string>,
  rooms: RoomsUnderTest | null,
): Promise<void> {
  for (const [at, raw] of steps.entries()) {
    const step = filled(raw, names)
    try {
      if ('call' in step) await settle(step, names, () => call(scene, step))
      else if (rooms === null) throw new Error('the setup has no rooms')
      else await roomStep(scene, step, names, rooms)
    } catch (error) {
      throw new Error(`step ${at + 1}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

async function call({ callers, network }: Scene, step: CallStep): Promise<unknown> {
  const [method = '', path = ''] = step.call.split(' ')
  const caller = callers.get(step.as)
  if (caller === undefined) throw new Error(`nobody is called ${step.as}`)
  network.next(step.network ?? [])
  const answer = await caller.call(method as Sending['method'], `/api${path}`, step.body, { key: step.key })
  if (network.left() > 0) throw new Error(`${network.left()} faults were not met: the call was not repeated`)
  return answer
}

async function roomStep(
  { callers, game }: Scene,
  step: Exclude<Step, CallStep>,
  names: Map<string, string>,
  rooms: RoomsUnderTest,
): Promise<void> {
  if ('connect' in step) {
    const roomTicket = () => caller(callers, step.as).call<never>('POST', pathTo(['gm', game, 'rt', 'ticket']))
    await rooms.connect(step.connect, roomTicket)
  } else if ('emit' in step) {
    await settle(step, names, () => rooms.emit(step.on, step.emit, step.body))
  } else if ('hears' in step) {
    const wrong = difference(step.body, await rooms.next(step.on, step.hears))
    if (wrong !== null) throw new Error(wrong)
  } else if ('cut' in step) {
    rooms.cut(step.cut)
  } else {
    rooms.restore(step.restore)
  }
}

function caller(callers: Scene['callers'], name: string): Caller {
  const found = callers.get(name)
  if (found === undefined) throw new Error(`nobody is called ${name}`)
  return found
}

/** Compares an answer or a refusal with what the step expects, and saves what it names. */
async function settle(
  step: Pick<CallStep | EmitStep, 'answer' | 'refused' | 'save'>,
  names: Map<string, string>,
  run: () => Promise<unknown>,
): Promise<void> {
  let answer: unknown
  try {
    answer = await run()
  } catch (failure) {
    const isRefusal = failure instanceof ProblemError || failure instanceof RoomsError
    if (!isRefusal || step.refused === undefined) throw failure
    const refusal = failure instanceof ProblemError ? failure.fields : { code: failure.code }
    const wrong = difference(step.refused, refusal)
    if (wrong !== null) throw new Error(`the refusal differs: ${wrong}`)
    return
  }
  if (step.refused !== undefined) throw new Error(`it was not refused: ${JSON.stringify(answer)}`)
  const wrong = difference(step.answer ?? {}, answer)
  if (wrong !== null) throw new Error(wrong)
  for (const [name, pointer] of Object.entries(step.save ?? {})) names.set(name, textAt(answer, pointer))
}
