// Every route of the table with every kind of caller: exactly the status and code that the contract's order of checks
// gives. And every id of one game with every token of another: never a word of what is there.

import { expect } from 'chai'
import type { Route } from '../../http/route.ts'
import type { Answered, Sent } from '../front-door/http-client.ts'
import { clientDefaults, type KeyWish, keyToken, makeKey, signInGuest } from '../front-door/scenery.ts'
import { must, openWorld, tokenOf, type World } from '../front-door/world.ts'
import { goodCall, makeScene, nameOf, pathOf, SAMPLES, type Sample, type Scene, TABLE } from './samples.ts'

const HOUR_MS = 3_600_000
const EVERYTHING = ['*', '*:*', '*:*:*', '*:*:*:*']
const SERVER_DEFAULTS = (game: string) => [`gm:${game}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for']

/** A caller, as the test knows them; null for one whose token is no good. */
interface Who {
  readonly what: string
  token(): Promise<string>
  readonly is: Known | null
}

interface Known {
  readonly kind: 'server' | 'client'
  /** Null: the operator. */
  readonly game: string | null
  readonly permissions: readonly string[]
  readonly player: boolean
}

/** To something of game A. */
interface GoodCall {
  readonly route: Route
  readonly sample: Sample
  readonly params: Readonly<Record<string, string>>
}

interface Outcome {
  readonly status: number
  readonly code?: string
  readonly needed?: string
}

describe('who may call what', () => {
  let world: World
  let a: Scene
  let b: Scene
  const callers: Who[] = []

  before(async () => {
    world = await openWorld()
    a = await makeScene(world, 'AAA-marker')
    const expired = await keyToken(world, a.game)
    world.clock.nowMs += HOUR_MS
    a = await makeScene(world, 'AAA-marker')
    b = await makeScene(world, 'BBB')
    await makeCallers(expired)
  })
  after(() => world.close())

  async function makeCallers(expired: string) {
    const broken = (what: string, token: string) => callers.push({ what, token: async () => token, is: null })
    broken('a garbage token', 'garbage')
    broken('an expired token', expired)
    broken('a token cut short', a.game.token.slice(0, -1))

    const add = (what: string, token: string, is: Omit<Known, 'player'>) => {
      callers.push({ what, token: async () => token, is: { ...is, player: false } })
    }
    const own = { kind: 'server', game: a.game.id } as const
    add('the operator', await tokenOf(world, world.operator), {
      kind: 'server',
      game: null,
      permissions: ['sys:games'],
    })
    add('a server key', await keyToken(world, a.game), { ...own, permissions: SERVER_DEFAULTS(a.game.id) })
    add('a server key of everything', await keyToken(world, a.game, { permissions: EVERYTHING }), {
      ...own,
      permissions: EVERYTHING,
    })
    add('a server key of nothing', await keyToken(world, a.game, { permissions: [] }), { ...own, permissions: [] })
    for (const scene of [a, b]) {
      const other = scene === b ? ' of another game' : ''
      await addClient(`a client key${other}`, scene, clientDefaults(scene.game.id))
      await addClient(`a client key of everything${other}`, scene, EVERYTHING)
      await addPlayer(`a server key’s player${other}`, scene, { kind: 'server' }, SERVER_DEFAULTS(scene.game.id))
    }
    const others = { kind: 'server', game: b.game.id } as const
    add('another game’s server key', await keyToken(world, b.game), {
      ...others,
      permissions: SERVER_DEFAULTS(b.game.id),
    })
    const wide = await keyToken(world, b.game, { permissions: EVERYTHING })
    add('another game’s server key of everything', wide, { ...others, permissions: EVERYTHING })
  }

  async function addClient(what: string, scene: Scene, permissions: readonly string[]) {
    const token = await keyToken(world, scene.game, { kind: 'client', permissions })
    const is = { kind: 'client', game: scene.game.id, permissions } as const
    callers.push({ what, token: async () => token, is: { ...is, player: false } })
    await addPlayer(`a player of ${what}`, scene, { kind: 'client', permissions }, permissions)
  }

  /** A session of their own for every call: some end it. */
  async function addPlayer(what: string, scene: Scene, wish: KeyWish, permissions: readonly string[]) {
    const token = await keyToken(world, scene.game, wish)
    const is = { kind: wish.kind ?? 'server', game: scene.game.id, permissions, player: true }
    callers.push({ what, token: async () => (await signInGuest(world, scene.game, token)).token, is })
  }

  it('knows every route of the table, and no other', () => {
    expect(TABLE.map(nameOf).sort()).to.deep.equal(Object.keys(SAMPLES).sort())
  })

  it('POST /api/rt/redeem/, where there is a secret: nobody without it, whatever else they may do', async () => {
    const secret = 'shared-by-the-rooms-and-the-api-0'
    await world.restart({ realtimeSecret: secret })
    const ticketOf = async (token: string) => {
      return must(await world.call('POST', `/api/gm/${a.game.id}/rt/ticket/`, { token }), 201).ticket as string
    }
    const redeem = (ticket: string, headers: Record<string, string>, token?: string) => {
      return world.call('POST', '/api/rt/redeem/', {
        body: { ticket },
        headers,
        ...(token === undefined ? {} : { token }),
      })
    }
    const ticket = await ticketOf(a.guest.token)
    for (const who of [...callers, null]) {
      for (const header of [null, '', secret.slice(1), `${secret}0`, secret.toUpperCase()]) {
        const sent = header === null ? {} : { 'x-realtime-secret': header }
        const answer = await redeem(ticket, sent, await who?.token())
        expect({ who: who?.what, header, ...outcomeOf(answer) }).to.deep.equal({
          ...{ who: who?.what, header },
          ...{ status: 401, code: 'unauthenticated' },
        })
      }
    }
    const told = must(await redeem(ticket, { 'x-realtime-secret': secret }), 200)
    expect(told.player.id, 'and no ticket was taken meanwhile').to.equal(a.guest.id)
    await world.restart({ realtimeSecret: null })
    expect((await redeem(ticket, { 'x-realtime-secret': secret })).status, 'absent without').to.equal(404)
  }).timeout(120_000)

  for (const route of TABLE) {
    describe(nameOf(route), () => {
      const sample = SAMPLES[nameOf(route)] as Sample

      it('nobody', async () => {
        const answer = await call(route, sample, a, undefined)
        const open: Outcome = { status: sample.ok }
        expect(outcomeOf(answer)).to.deep.equal(
          route.needs === 'nothing' ? open : { status: 401, code: 'unauthenticated' },
        )
      })

      it('every kind of caller', async () => {
        for (const who of callers) {
          const params = (await sample.params?.(a)) ?? {}
          const answer = await call(route, sample, a, await who.token(), params)
          const foretold = expected({ route, sample, params }, who)
          expect({ who: who.what, ...outcomeOf(answer) }).to.deep.equal({ who: who.what, ...foretold })
          const isStranger = who.is !== null && who.is.game === b.game.id
          if (isStranger && route.needs !== 'nothing') expect(answer.text, who.what).to.not.include(a.marker)
        }
      })

      const { needs } = route
      if (typeof needs !== 'string' && needs.permission !== 'sys:games') {
        it('a key with all permissions but this one, and one with this one alone', async () => {
          const params = (await sample.params?.(a)) ?? {}
          const needed = fill(needs.permission, { game: a.game.id, ...params })
          const others = otherPermissions(needed, params)
          const without = await keyToken(world, a.game, { permissions: others })
          expect(outcomeOf(await call(route, sample, a, without, params))).to.deep.equal({
            status: 403,
            code: 'permission_needed',
            needed,
          })
          const alone = await keyToken(world, a.game, { permissions: [needed] })
          const status = sample.asPlayer === true ? { status: 422, code: 'player_required' } : { status: sample.ok }
          expect(outcomeOf(await call(route, sample, a, alone, params))).to.deep.equal(status)
        })
      }

      if ((route.path.match(/:/g) ?? []).length === 2) {
        it('an id of another game under one’s own', async () => {
          const params = { ...(await sample.params?.(a)), game: b.game.id }
          const answer = await call(route, sample, a, b.game.token, params)
          const code = otherGameCode(route)
          expect(outcomeOf(answer)).to.deep.equal({ status: 404, code })
        })
      }
    })
  }

  it('no player of another game is submitted for, listed, or looked around', async () => {
    const token = b.game.token
    const submit = await world.call('POST', `/api/lb/${b.board}/score/`, {
      token,
      body: { score: '1', player: a.player },
    })
    expect(outcomeOf(submit)).to.deep.equal({ status: 422, code: 'unknown_player' })
    for (const query of [`player=${a.guest.id}`, `around=${a.guest.id}`]) {
      const { body } = await world.call('GET', `/api/lb/${b.board}/score/?${query}`, { token })
      expect([query, body.scores]).to.deep.equal([query, []])
    }
  })

  it('no key of one game signs in to another', async () => {
    const stranger = await makeKey(world, b.game, { kind: 'client' })
    const path = `/api/gm/${a.game.id}/player/guest/`
    const body = { guest_token: a.guest.guestToken }
    const answer = await world.call('POST', path, { token: await tokenOf(world, stranger), body })
    expect(outcomeOf(answer)).to.deep.equal({ status: 404, code: 'game_not_found' })
  })

  async function call(
    route: Route,
    sample: Sample,
    scene: Scene,
    token: string | undefined,
    given?: Readonly<Record<string, string>>,
  ): Promise<Answered> {
    const params = given ?? (await sample.params?.(scene)) ?? {}
    const sent: Sent = await goodCall(sample, scene)
    return world.call(route.method, pathOf(route, params), token === undefined ? sent : { ...sent, token })
  }

  function outcomeOf({ status, body }: Answered): Outcome {
    if (status < 400) return { status }
    return body.needed === undefined ? { status, code: body.code } : { status, code: body.code, needed: body.needed }
  }

  /** What the contract's order of checks makes of a good call to something of game A. */
  function expected({ route, sample, params: inPath }: GoodCall, { is }: Who): Outcome {
    if (route.needs === 'nothing') return { status: sample.ok }
    if (is === null) return { status: 401, code: 'token_rejected' }
    // A path that names no game is about something of the caller's own; the operator's key is of no game, so of any.
    const params = { game: is.game ?? '*', ...inPath }
    if (route.tenantOnly && is.kind === 'client') return { status: 403, code: 'tenant_only' }
    const { needs } = route
    if (needs !== 'token') {
      const needed = fill(needs.permission, params)
      const held = holds(is, needed) || (needs.or !== undefined && holds(is, fill(needs.or, params)))
      if (!held) return { status: 403, code: 'permission_needed', needed }
    }
    const isOperatorsTo = needs !== 'token' && (needs.permission === 'sys:games' || needs.or === 'sys:games')
    if (is.game !== a.game.id && !(is.game === null && isOperatorsTo)) return { status: 404, code: notFoundCode(route) }
    if (sample.asNobody === true && is.player) return { status: 404, code: 'not_found' }
    if (sample.asPlayer === true && !is.player) return { status: 422, code: 'player_required' }
    return { status: is.player ? (sample.okAsPlayer ?? sample.ok) : sample.ok }
  }
})

function fill(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
}

function otherGameCode({ path }: Route): string {
  if (path.includes(':bucket')) return 'bucket_not_found'
  return path.includes(':prefix') ? 'key_not_found' : 'player_not_found'
}

function notFoundCode({ path }: Route): string {
  if (path.includes(':bucket')) return 'bucket_not_found'
  if (path.includes(':leaderboard')) return 'leaderboard_not_found'
  return path.includes(':score') ? 'score_not_found' : 'game_not_found'
}

/** Contract section 2: part by part, `*` for any; the operator's permissions are held by the operator only. */
function holds({ permissions, game }: Known, asked: string): boolean {
  if (asked.startsWith('sys:') && game !== null) return false
  return permissions.some((held) => {
    const [parts, wanted] = [held.split(':'), asked.split(':')]
    return parts.length === wanted.length && parts.every((part, i) => part === '*' || part === wanted[i])
  })
}

/** Every permission that any route asks for, as it reads for these ids, but this one. */
function otherPermissions(needed: string, params: Readonly<Record<string, string>>): string[] {
  const templates = TABLE.flatMap(({ needs }) => (typeof needs === 'string' ? [] : [needs.permission, needs.or ?? '']))
  const all = [...new Set(templates.map((template) => fill(template, params)))]
  const sound = all.filter((one) => one !== '' && one !== needed && !one.startsWith('sys:') && !one.includes('::'))
  return [...sound, 'submit_for', 'lb:other:submit', 'bkt:other:files', `${needed}:more`]
}
