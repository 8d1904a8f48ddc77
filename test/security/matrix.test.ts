// Calls every route with every kind of caller, and expects the status and code that the protocol’s order of checks
// gives. Every id of one game with every token of another game reveals nothing of that game.

import { expect } from 'chai'
import type { Route } from '../../http/route.ts'
import { clientDefaults, type KeyOptions, keyToken, makeKey, signInGuest } from '../front-door/game-fixtures.ts'
import type { Answered, Sent } from '../front-door/http-client.ts'
import { must, openWorld, tokenOf, type World } from '../front-door/world.ts'
import { goodCall, makeSampleGame, nameOf, pathOf, SAMPLES, type Sample, type SampleGame, TABLE } from './samples.ts'

const HOUR_MS = 3_600_000
const EVERYTHING = ['*', '*:*', '*:*:*', '*:*:*:*']
const SERVER_DEFAULTS = (game: string) => [`gm:${game}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for']

/** A caller as the test knows them; null if the token is invalid. */
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
  /** A token of the game that the operator asked for. */
  readonly isOperatorInGame?: true
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

describe('permissions of every route and caller', () => {
  let world: World
  let a: SampleGame
  let b: SampleGame
  const callers: Who[] = []

  before(async () => {
    world = await openWorld()
    a = await makeSampleGame(world, 'AAA-marker')
    const expired = await keyToken(world, a.game)
    world.clock.nowMs += HOUR_MS
    a = await makeSampleGame(world, 'AAA-marker')
    b = await makeSampleGame(world, 'BBB')
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
    for (const sampleGame of [a, b]) {
      const other = sampleGame === b ? ' of another game' : ''
      await addClient(`a client key${other}`, sampleGame, clientDefaults(sampleGame.game.id))
      await addClient(`a client key of everything${other}`, sampleGame, EVERYTHING)
      await addPlayer(
        `a server key’s player${other}`,
        sampleGame,
        { kind: 'server' },
        SERVER_DEFAULTS(sampleGame.game.id),
      )
    }
    for (const { game } of [a, b]) {
      const asked = { token: await tokenOf(world, world.operator) }
      const { token } = must(await world.call('POST', `/api/gm/${game.id}/token/`, asked), 200)
      const what = `the operator’s token of ${game === a.game ? 'the game' : 'another game'}`
      add(what, token, { ...own, game: game.id, permissions: SERVER_DEFAULTS(game.id), isOperatorInGame: true })
    }
    const others = { kind: 'server', game: b.game.id } as const
    add('another game’s server key', await keyToken(world, b.game), {
      ...others,
      permissions: SERVER_DEFAULTS(b.game.id),
    })
    const wide = await keyToken(world, b.game, { permissions: EVERYTHING })
    add('another game’s server key of everything', wide, { ...others, permissions: EVERYTHING })
  }

  async function addClient(what: string, sampleGame: SampleGame, permissions: readonly string[]) {
    const token = await keyToken(world, sampleGame.game, { kind: 'client', permissions })
    const is = { kind: 'client', game: sampleGame.game.id, permissions } as const
    callers.push({ what, token: async () => token, is: { ...is, player: false } })
    await addPlayer(`a player of ${what}`, sampleGame, { kind: 'client', permissions }, permissions)
  }

  /** A new session for every call, as some calls end it. */
  async function addPlayer(what: string, sampleGame: SampleGame, options: KeyOptions, permissions: readonly string[]) {
    const token = await keyToken(world, sampleGame.game, options)
    const is = { kind: options.kind ?? 'server', game: sampleGame.game.id, permissions, player: true }
    callers.push({ what, token: async () => (await signInGuest(world, sampleGame.game, token)).token, is })
  }

  it('has a sample for every route of the table, and no other', () => {
    expect(TABLE.map(nameOf).sort()).to.deep.equal(Object.keys(SAMPLES).sort())
  })

  it('refuses POST /api/rt/redeem/ without the configured secret, whatever the permissions of the caller', async () => {
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
    const redeemed = must(await redeem(ticket, { 'x-realtime-secret': secret }), 200)
    expect(redeemed.player.id, 'and no ticket was taken meanwhile').to.equal(a.guest.id)
    await world.restart({ realtimeSecret: null })
    expect((await redeem(ticket, { 'x-realtime-secret': secret })).status, 'absent without').to.equal(404)
  }).timeout(120_000)

  for (const route of TABLE) {
    describe(nameOf(route), () => {
      const sample = SAMPLES[nameOf(route)] as Sample

      it('admits a caller without a token if the route is open, and refuses them otherwise', async () => {
        const answer = await call(route, sample, a, undefined)
        const open: Outcome = { status: sample.ok }
        expect(outcomeOf(answer)).to.deep.equal(
          route.needs === 'nothing' ? open : { status: 401, code: 'unauthenticated' },
        )
      })

      it('answers 401 to an invalid token, and 403 or 404 to a caller without the right', async () => {
        for (const who of callers) {
          const params = (await sample.params?.(a)) ?? {}
          const answer = await call(route, sample, a, await who.token(), params)
          const due = expected({ route, sample, params }, who)
          expect({ who: who.what, ...outcomeOf(answer) }).to.deep.equal({ who: who.what, ...due })
          const isStranger = who.is !== null && who.is.game === b.game.id
          if (isStranger && route.needs !== 'nothing') expect(answer.text, who.what).to.not.include(a.marker)
        }
      })

      const { needs } = route
      if (typeof needs !== 'string' && needs.permission !== 'sys:games') {
        it('admits a key with the needed permission alone, and refuses one with all but it', async () => {
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
        it('refuses an id of another game in place of the own one', async () => {
          const params = { ...(await sample.params?.(a)), game: b.game.id }
          const answer = await call(route, sample, a, b.game.token, params)
          const code = otherGameCode(route)
          expect(outcomeOf(answer)).to.deep.equal({ status: 404, code })
        })
      }
    })
  }

  it('refuses to submit for, list and read players of another game', async () => {
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

  it('refuses to sign a key in to another game', async () => {
    const stranger = await makeKey(world, b.game, { kind: 'client' })
    const path = `/api/gm/${a.game.id}/player/guest/`
    const body = { guest_token: a.guest.guestToken }
    const answer = await world.call('POST', path, { token: await tokenOf(world, stranger), body })
    expect(outcomeOf(answer)).to.deep.equal({ status: 404, code: 'game_not_found' })
  })

  async function call(
    route: Route,
    sample: Sample,
    sampleGame: SampleGame,
    token: string | undefined,
    given?: Readonly<Record<string, string>>,
  ): Promise<Answered> {
    const params = given ?? (await sample.params?.(sampleGame)) ?? {}
    const sent: Sent = await goodCall(sample, sampleGame)
    return world.call(route.method, pathOf(route, params), token === undefined ? sent : { ...sent, token })
  }

  function outcomeOf({ status, body }: Answered): Outcome {
    if (status < 400) return { status }
    return body.needed === undefined ? { status, code: body.code } : { status, code: body.code, needed: body.needed }
  }

  /** What the contract’s order of checks answers to a valid call about game A. */
  function expected({ route, sample, params: inPath }: GoodCall, { is }: Who): Outcome {
    if (route.needs === 'nothing') return { status: sample.ok }
    if (is === null) return { status: 401, code: 'token_rejected' }
    // A path without a game is about the caller’s own game; the operator’s key belongs to no game, so it may access
    // any.
    const params = { game: is.game ?? '*', ...inPath }
    if (route.tenantOnly && is.kind === 'client') return { status: 403, code: 'tenant_only' }
    if (route.refusesOperatorTokens === true && is.isOperatorInGame) return { status: 403, code: 'operator_token' }
    const { needs } = route
    if (needs !== 'token') {
      const needed = fill(needs.permission, params)
      const isPermitted =
        hasPermission(is, needed) || (needs.or !== undefined && hasPermission(is, fill(needs.or, params)))
      if (!isPermitted) return { status: 403, code: 'permission_needed', needed }
    }
    const isOperatorsTo = needs !== 'token' && (needs.permission === 'sys:games' || needs.or === 'sys:games')
    const isAboutCaller = needs === 'token' && !route.path.includes(':')
    if (is.game !== a.game.id && !isAboutCaller && !(is.game === null && isOperatorsTo))
      return { status: 404, code: notFoundCode(route) }
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

/** As docs/protocol.md, section 4: part by part, `*` for any; only the operator has the operator’s permissions. */
function hasPermission({ permissions, game }: Known, permission: string): boolean {
  if (permission.startsWith('sys:') && game !== null) return false
  return permissions.some((granted) => {
    const [parts, wanted] = [granted.split(':'), permission.split(':')]
    return parts.length === wanted.length && parts.every((part, i) => part === '*' || part === wanted[i])
  })
}

/** Every permission that any route needs, filled in for these ids, except this one. */
function otherPermissions(needed: string, params: Readonly<Record<string, string>>): string[] {
  const templates = TABLE.flatMap(({ needs }) => (typeof needs === 'string' ? [] : [needs.permission, needs.or ?? '']))
  const all = [...new Set(templates.map((template) => fill(template, params)))]
  const sound = all.filter((one) => one !== '' && one !== needed && !one.startsWith('sys:') && !one.includes('::'))
  return [...sound, 'submit_for', 'lb:other:submit', 'bkt:other:files', `${needed}:more`]
}
