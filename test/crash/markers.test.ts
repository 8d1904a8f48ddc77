// Planted markers: after every endpoint has been called, well and badly, with the log at its most talkative, no secret and no
// name is in a log line or an event, no secret in the read models, and none in the vault but sealed. Of a player who was
// deleted nothing is anywhere.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Sent } from '../front-door/http-client.ts'
import { mailedCode } from '../front-door/mails.ts'
import { must } from '../front-door/world.ts'
import { goodCall, makeScene, nameOf, pathOf, SAMPLES, type Scene, TABLE } from '../security/samples.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'

const PERSON = 'Qzxperson'
const EXTERNAL = 'qzxexternal'
const FORGOTTEN = 'Qzxforgotten'
const HEADER = 'qzxheader'
const QUERY = 'qzxquery'
const BODY = 'qzxbody'
const LOGIN = 'qzxlogin'
const PASSWORD = 'qzxpassword-one'
const ADDRESS = 'qzxaddress@example.com'
const BAD_TOKEN = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.qzxpayload.qzxsignature'

/** What must not be told, by what it is. */
type Secrets = Map<string, string>

/** Everything that is sent beside what a call needs: none of it is anybody's business afterwards. */
const EXTRA = {
  'x-forwarded-for': `${HEADER}-1`,
  'x-custom-secret': `${HEADER}-2`,
  cookie: `session=${HEADER}-3`,
  'user-agent': `${HEADER}-4`,
}

/** Every secret that an answer shows is written down, whoever asked for it. */
function noting(world: ProcessWorld, secrets: Secrets): ProcessWorld {
  return {
    ...world,
    operator: world.operator,
    call: async (method, path, sent) => {
      const answer = await world.call(method, path, { ...sent, headers: { ...EXTRA, ...sent?.headers } })
      note(secrets, `${method} ${path}`, answer.body)
      return answer
    },
  }
}

const SECRET_FIELDS = new Set(['secret', 'private_key', 'token', 'refresh_token', 'guest_token', 'ticket'])

function note(secrets: Secrets, where: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) {
    // Of a token that begins with its owner's id, the secret is what follows; of a bearer token, the signature.
    if (SECRET_FIELDS.has(name) && typeof field === 'string') {
      secrets.set(`${name} of ${where} (${secrets.size})`, field.split('.').at(-1) ?? '')
    } else note(secrets, where, field)
  }
}

async function callEverything(world: ProcessWorld): Promise<void> {
  const scene = await makeScene(world, 'scenery')
  await callPersonally(world, scene)
  await signInInEveryWay(world, scene)
  for (const route of TABLE) {
    const sample = SAMPLES[nameOf(route)]
    if (sample === undefined) throw new Error(`there is no sample of ${nameOf(route)}`)
    const params = (await sample.params?.(scene)) ?? {}
    const token = { token: sample.asPlayer ? scene.guest.token : scene.game.token }
    const sent: Sent = { ...(sample.sent === undefined ? token : {}), ...(await goodCall(sample, scene)) }
    const path = pathOf(route, params)
    await callBadly(world, route.method, path, sent)
    await world.call(route.method, path, sent)
  }
  // Last, so that nothing else is written over what may be left.
  await callAndForget(world, scene)
}

/** Logins, passwords, addresses and codes, right and wrong. */
async function signInInEveryWay(world: ProcessWorld, { game, client, guest }: Scene): Promise<void> {
  const post = (way: string, body: object, token = client) =>
    world.call('POST', `/api/gm/${game.id}/player/${way}/`, { token, body })
  must(await post('register', { login: LOGIN, password: PASSWORD, email: ADDRESS }, guest.token), 200)
  await post('register', { login: LOGIN, password: PASSWORD, email: ADDRESS })
  must(await post('password', { login: LOGIN, password: PASSWORD }), 200)
  await post('password', { login: `${LOGIN}-unknown`, password: PASSWORD })
  await post('password', { login: LOGIN, password: `${PASSWORD}-wrong` })
  const code = await mailedCode(world, game.id, client, ADDRESS)
  await post('code/verify', { email: ADDRESS, code: code === '000000' ? '000001' : '000000' })
  must(await post('code/verify', { email: ADDRESS, code }), 200)
  await post('password', { login: LOGIN, password: PASSWORD })
  must(await post('register', { login: `${LOGIN}-2`, password: `${PASSWORD}-2` }), 201)
  const stranger = `2${ADDRESS}`
  must(await post('code/verify', { email: stranger, code: await mailedCode(world, game.id, client, stranger) }), 201)
}

/** Names in every place that takes one. */
async function callPersonally(world: ProcessWorld, { game, board, guest, client }: Scene): Promise<void> {
  const { token } = game
  const players = `/api/gm/${game.id}/players/`
  const fresh = { name: `${PERSON}-made`, external_id: EXTERNAL }
  const player = must(await world.call('POST', players, { token, body: fresh }), 201)
  await world.call('POST', players, { token, body: fresh })
  await world.call('PUT', `${players}${player.id}/`, { token, body: { name: `${PERSON}-renamed` } })
  await world.call('GET', `${players}?name=${PERSON}`, { token })
  const score = { score: '7', player: player.id, player_name: `${PERSON}-beside`, extra_data: { a: 1 } }
  must(await world.call('POST', `/api/lb/${board}/score/`, { token, body: score }), 201)
  await world.call('GET', `/api/lb/${board}/score/?player_name=${PERSON}`, { token })
  await world.call('PUT', `/api/gm/${game.id}/player/me/`, { token: guest.token, body: { name: `${PERSON}-me` } })
  const again = { guest_token: guest.guestToken }
  must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, { token: client, body: again }), 200)
}

/** Whatever a player can write, and then their deletion. */
async function callAndForget(world: ProcessWorld, { game, board, client }: Scene): Promise<void> {
  const { token } = game
  const players = `/api/gm/${game.id}/players/`
  const fresh = { name: `${FORGOTTEN}-made`, external_id: `${FORGOTTEN}-id` }
  const made = must(await world.call('POST', players, { token, body: fresh }), 201)
  const guest = { token: client, body: { name: `${FORGOTTEN}-guest` } }
  const { player } = must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, guest), 201)
  // Long enough that a row gets pages of its own, which are free afterwards.
  const extra = { kept: FORGOTTEN.repeat(500) }
  for (const { id } of [made, player]) {
    for (const score of ['1', '2']) {
      const body = { score, player: id, player_name: `${FORGOTTEN}-beside`, extra_data: extra }
      expect((await world.call('POST', `/api/lb/${board}/score/`, { token, body })).status).to.be.oneOf([200, 201])
    }
    must(await world.call('PUT', `${players}${id}/`, { token, body: { name: `${FORGOTTEN}-renamed` } }), 200)
    expect(must(await world.call('GET', `${players}?name=${FORGOTTEN}-renamed`, { token }), 200).count).to.equal(1)
    must(await world.call('DELETE', `${players}${id}/`, { token }), 200)
  }
}

/** The same call, spoiled in every way: with markers where a careless server would repeat them. */
async function callBadly(world: ProcessWorld, method: string, path: string, good: Sent): Promise<void> {
  const { token: _, ...anonymous } = good
  const spoiled: [path: string, sent: Sent][] = [
    [path, anonymous],
    [path, { ...good, token: BAD_TOKEN }],
    [`${path}?token=${QUERY}&name=${PERSON}`, good],
    [`${path}${PERSON}/`, good],
    [path, { ...good, raw: `{"name":"${PERSON}-cut`, body: undefined }],
    [path, { ...good, body: { name: `${PERSON}\u0000`, password: BODY, refresh_token: `x.${BODY}`, score: BODY } }],
    [path, { ...good, body: [BODY] }],
    [path, { ...good, headers: { ...good.headers, 'content-type': `text/${BODY}` } }],
    [path, { ...good, headers: { ...good.headers, 'x-consistency-token': QUERY, 'idempotency-key': `\t${HEADER}` } }],
  ]
  for (const [where, sent] of spoiled) await world.call(method, where, sent).catch(() => {})
  await world.call('PATCH', path, good)
}

/** Everything in the files of the data folder whose name begins so, as one text. */
function bytesOf(dataDir: string, beginning: string): string {
  const files = readdirSync(dataDir).filter((name) => name.startsWith(beginning))
  if (files.length === 0) throw new Error(`there is no ${beginning}`)
  return files.map((name) => readFileSync(join(dataDir, name), 'latin1')).join('\n')
}

/** Which of them are in the text, as they are, in base64 of either kind, or in hexadecimal. */
function found(text: string, wanted: ReadonlyMap<string, string>): string[] {
  return [...wanted].flatMap(([what, value]) => {
    const bytes = Buffer.from(value)
    const spellings = [value, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')]
    return spellings.some((spelling) => text.includes(spelling)) ? [what] : []
  })
}

describe('planted markers', () => {
  let world: ProcessWorld
  const secrets: Secrets = new Map()
  const names = new Map([
    ['a name', PERSON],
    ['a forgotten name', `${FORGOTTEN}-made`],
    ['a forgotten guest’s name', `${FORGOTTEN}-guest`],
    ['a forgotten name beside a score', `${FORGOTTEN}-beside`],
    ['a forgotten new name', `${FORGOTTEN}-renamed`],
    ['a forgotten external id', `${FORGOTTEN}-id`],
    ['an external id', EXTERNAL],
  ])
  const sent = new Map([
    ['a header', HEADER],
    ['a query', QUERY],
    ['a refused body', BODY],
    ['a refused token', 'qzxsignature'],
  ])
  let atRest: { views: string }
  /** Compared without regard to case, a login is in capitals inside. */
  const signIns = new Map([
    ['a login', LOGIN],
    ['a login in capitals', LOGIN.toUpperCase()],
    ['a password', PASSWORD],
    ['an address', ADDRESS],
  ])
  /** What a server in development tells of a mail, as the contract has it, is looked at by itself. */
  const lines = () =>
    world
      .output()
      .split('\n')
      .filter((line) => !line.includes('a mail was written'))
      .join('\n')
  let running: { log: string; views: string; vault: string }

  before(async function () {
    this.timeout(60_000)
    world = await openProcessWorld({ LOG_LEVEL: 'trace' })
    const { dataDir } = world
    secrets.set('the operator’s secret', JSON.parse(readFileSync(join(dataDir, 'operator.json'), 'utf8')).secret)
    secrets.set('the master key', JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).masterKey)
    await callEverything(noting(world, secrets))
    const snapshot = () => ({
      log: bytesOf(dataDir, 'log.sqlite'),
      views: bytesOf(dataDir, 'views.sqlite'),
      vault: bytesOf(dataDir, 'vault.sqlite'),
    })
    const before = snapshot()
    await world.leave()
    const after = snapshot()
    atRest = after
    running = { log: before.log + after.log, views: before.views + after.views, vault: before.vault + after.vault }
  })
  after(() => world.close())

  it('were planted', () => {
    expect(secrets.size).to.be.greaterThan(20)
    for (const [what, value] of secrets) expect(value.length, what).to.be.greaterThan(30)
    expect(
      world
        .output()
        .split('\n')
        .filter((line) => line.includes('"request_id"')).length,
    ).to.be.greaterThan(200)
    expect(running.views).to.include(PERSON)
    expect(running.log).to.include('PlayerCreated')
    expect(running.vault).to.include('key-secret')
  })

  it('are in no log line', () => {
    expect(found(world.output(), secrets)).to.deep.equal([])
    expect(found(world.output(), names)).to.deep.equal([])
    expect(found(world.output(), sent)).to.deep.equal([])
    expect(found(lines(), signIns)).to.deep.equal([])
    const told = world
      .output()
      .split('\n')
      .filter((line) => line.includes(ADDRESS))
    expect(told).to.have.length(2)
    for (const line of told) {
      expect(Object.keys(JSON.parse(line))).to.include.members(['address', 'code', 'file', 'msg'])
      const { code } = JSON.parse(line)
      expect(lines().includes(`"${code}"`)).to.equal(false)
    }
    expect(found(world.output(), new Map([...signIns].filter(([what]) => what !== 'an address')))).to.deep.equal([])
  })

  it('are in no event', () => {
    expect(found(running.log, secrets)).to.deep.equal([])
    expect(found(running.log, names)).to.deep.equal([])
    expect(found(running.log, sent)).to.deep.equal([])
    expect(found(running.log, signIns)).to.deep.equal([])
  })

  it('are, where they are secrets, in no read model and in the vault only sealed', () => {
    expect(found(running.views, secrets)).to.deep.equal([])
    expect(found(running.vault, secrets)).to.deep.equal([])
    expect(found(running.vault, names)).to.deep.equal([])
    expect(found(running.views, signIns)).to.deep.equal([])
    expect(found(running.vault, signIns)).to.deep.equal([])
    // They were kept, and are there to be found sealed.
    expect(running.vault).to.include('password').and.to.include('email')
  })

  it('are, once their player is deleted and the program has stopped, in no read model', () => {
    expect(running.views).to.include(FORGOTTEN)
    expect(found(atRest.views, new Map([['anything forgotten', FORGOTTEN]]))).to.deep.equal([])
    expect(atRest.views).to.include(PERSON)
  })
})
