// Runs scripted cases through a driver against a server, and compares what it answers.

import {
  createServer,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Client, connect } from '../../clients/javascript/connect.ts'
import type { CallStep, EmitStep, Fault, Step, Suite } from './cases.ts'
import { type Driver, type Opening, Refused } from './driver.ts'
import { difference, filled, textAt } from './matching.ts'

/** Everything that the cases of a suite share. */
interface Scene {
  readonly driver: Driver
  readonly proxy: FaultyProxy
  readonly names: ReadonlyMap<string, string>
}

export interface Outcome {
  readonly name: string
  /** Null if the case has passed. */
  readonly failure: string | null
}

const GAME = 'Conformance'
const GUESTS = { ada: 'Ada', bob: 'Bob' }

/** Makes a game for the suite, and deletes it in the end. */
export async function runSuite(
  suite: Suite,
  server: string,
  operator: Client,
  driver: Driver,
): Promise<readonly Outcome[]> {
  const { game, key } = await operator.createGame(GAME)
  const proxy = await openFaultyProxy(server)
  try {
    const tenant = await connect({ baseUrl: server, key })
    const board = await tenant.createLeaderboard(game.id, { name: 'High scores', ordering: 'desc' })
    const clientKey = await tenant.issueKey(game.id, { name: 'game', kind: 'client', algorithm: 'hmac-sha256' })
    const keys = { server_key: key, client_key: clientKey }
    const opening = { url: proxy.url, game: game.id, ...keys, guests: GUESTS }
    const names = new Map(Object.entries({ game: game.id, board: board.id }))
    const scene = { driver, proxy, names }
    const broken = await prepared(scene, opening, suite)
    const outcomes: Outcome[] = []
    for (const { name, steps } of suite.cases)
      outcomes.push({ name, failure: broken ?? (await failureOf(scene, steps)) })
    return outcomes
  } finally {
    await proxy.close()
    await operator.deleteGame(game.id, GAME)
  }
}

/** Why no case of the suite can run; null if the client has opened it and the setup has passed. */
async function prepared(
  { driver, proxy, names }: Scene & { readonly names: Map<string, string> },
  opening: Opening,
  { setup }: Suite,
): Promise<string | null> {
  try {
    const { players } = await driver.open(opening)
    for (const [name, id] of Object.entries(players)) names.set(name, id)
    await runSteps({ driver, proxy, names }, setup, names)
    return null
  } catch (error) {
    return `setup: ${messageOf(error)}`
  }
}

async function failureOf(scene: Scene, steps: readonly Step[]): Promise<string | null> {
  try {
    await runSteps(scene, steps, new Map(scene.names))
    return null
  } catch (error) {
    return messageOf(error)
  } finally {
    scene.proxy.next('', '', [])
    await scene.driver.closeRooms()
  }
}

/** Throws at the first step that goes otherwise. */
async function runSteps(scene: Scene, steps: readonly Step[], names: Map<string, string>): Promise<void> {
  for (const [at, raw] of steps.entries()) {
    const step = filled(raw, names)
    try {
      if ('call' in step) await settle(step, names, () => call(scene, step))
      else await roomStep(scene.driver, step, names)
    } catch (error) {
      throw new Error(`step ${at + 1}: ${messageOf(error)}`)
    }
  }
}

async function call({ driver, proxy }: Scene, step: CallStep): Promise<unknown> {
  const [method = '', bare = ''] = step.call.split(' ')
  const path = `/api${bare}`
  proxy.next(method, path, step.network ?? [])
  const answer = await driver.call({ as: step.as, method, path, body: step.body, key: step.key })
  if (proxy.left() > 0) throw new Error(`${proxy.left()} faults were not met: the call was not repeated`)
  return answer
}

async function roomStep(driver: Driver, step: Exclude<Step, CallStep>, names: Map<string, string>): Promise<void> {
  if ('connect' in step) {
    await driver.connect(step.connect, step.as)
  } else if ('emit' in step) {
    await settle(step, names, () => driver.emit(step.on, step.emit, step.body))
  } else if ('hears' in step) {
    const wrong = difference(step.body, await driver.hears(step.on, step.hears))
    if (wrong !== null) throw new Error(wrong)
  } else if ('cut' in step) {
    await driver.cut(step.cut)
  } else {
    await driver.restore(step.restore)
  }
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
    if (!(failure instanceof Refused) || step.refused === undefined) throw failure
    const wrong = difference(step.refused, failure.fields)
    if (wrong !== null) throw new Error(`the refusal differs: ${wrong}`)
    return
  }
  if (step.refused !== undefined) throw new Error(`it was not refused: ${JSON.stringify(answer)}`)
  const wrong = difference(step.answer ?? {}, answer)
  if (wrong !== null) throw new Error(wrong)
  for (const [name, pointer] of Object.entries(step.save ?? {})) names.set(name, textAt(answer, pointer))
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export interface FaultyProxy {
  readonly url: string
  /** The faults of the next requests with this method and path. */
  next(method: string, path: string, faults: readonly Fault[]): void
  /** How many were not met. */
  left(): number
  close(): Promise<void>
}

/** Headers of one connection. */
const OWN: ReadonlySet<string> = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'content-length'])

export async function openFaultyProxy(server: string): Promise<FaultyProxy> {
  const forward = forwarder(new URL(server))
  let faults: Fault[] = []
  let faulty = ''
  const proxy = createServer((received, answer) => {
    const isFaulty = faults.length > 0 && `${received.method} ${decoded(received.url ?? '')}` === faulty
    void answered(received, answer, isFaulty ? faults.shift() : undefined).catch(() => received.socket.destroy())
  })
  async function answered(received: IncomingMessage, answer: ServerResponse, fault: Fault | undefined): Promise<void> {
    if (fault === 'lost request') throw new Error('lost')
    const body = await bytesOf(received)
    if (typeof fault === 'object') {
      const { status, code, retry_after: after } = fault
      const type = { 'Content-Type': 'application/problem+json' }
      answer.writeHead(status, after === null ? type : { ...type, 'Retry-After': after })
      answer.end(JSON.stringify({ status, code, detail: 'a fault of the test' }))
      return
    }
    const response = await forward(received, body)
    const bytes = await bytesOf(response)
    if (fault === 'lost answer') throw new Error('lost')
    answer.writeHead(response.statusCode ?? 502, { ...carried(response), 'Content-Length': bytes.length }).end(bytes)
  }
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    next: (method, path, given) => {
      faults = [...given]
      faulty = `${method} ${decoded(path)}`
    },
    left: () => faults.length,
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** Sends a request on to the server. */
function forwarder(base: URL) {
  const isHttps = base.protocol === 'https:'
  const request = isHttps ? requestHttps : requestHttp
  const agent = isHttps ? new HttpsAgent() : new HttpAgent()
  const prefix = base.pathname.replace(/\/+$/, '')
  return (received: IncomingMessage, body: Buffer): Promise<IncomingMessage> => {
    const { method, url } = received
    const target = { method, agent, host: base.hostname, port: base.port, path: prefix + url }
    const headers = { ...carried(received), ...(body.length === 0 ? {} : { 'Content-Length': body.length }) }
    return new Promise((resolve, reject) => {
      request({ ...target, headers }, resolve)
        .on('error', reject)
        .end(body)
    })
  }
}

const carried = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name)))

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The path without its query, in one spelling. */
function decoded(path: string): string {
  const [bare = ''] = path.split('?')
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}
