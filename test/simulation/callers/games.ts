// Simulated commands about games and keys.

import * as games from '../../../commands/game.ts'
import * as keys from '../../../commands/key.ts'
import { type Game, gameStream } from '../../../domain/game.ts'
import { type Key, keyStream } from '../../../domain/key.ts'
import { findGame } from '../../../queries/game.ts'
import { findKey } from '../../../queries/key.ts'
import type { ModelSignIn } from '../model/model.ts'
import { same } from '../oracle/same.ts'
import { simCommand } from './command.ts'
import { notFound } from './refusals.ts'

export const ORIGINS = ['https://a.example', 'https://b.example', 'https://c.example']
const PERMISSIONS = ['lb:*:submit', 'lb:*:scores', 'submit_for']
const EVERY_WAY: ModelSignIn = { guest: true, password: true, code: true, ticket: true }
const anything = () => {}

export const makeGame = simCommand<{ name: string }>({
  name: 'make game',
  weight: 2,
  generate: (random, known) => (known.games.length >= 3 ? null : { name: `game ${random.below(1000)}` }),
  async run(node, args, context, known) {
    const { id, game, firstKey, replayed } = await games.makeGame(node.commands, args.name, context)
    if (!known.games.includes(id)) {
      known.games.push(id)
      known.keys.push({ prefix: firstKey.prefix, game: id })
    }
    const answer = { id, name: game.name, key: firstKey.prefix, shown: Object.keys(firstKey.shown) }
    return { answer, written: firstKey.handled.written, replayed }
  },
  apply(model, { name }, { type, stream, meta, data }) {
    const game = meta.game ?? ''
    if (type === 'GameCreated') model.games.set(game, { name, origins: [], signIn: EVERY_WAY })
    if (type !== 'KeyIssued') return undefined
    const prefix = stream.slice(keyStream('').length)
    model.keys.set(prefix, { game, permissions: data.permissions as string[], revoked: false })
    return { id: game, name, key: prefix, shown: ['secret'] }
  },
  verdict: () => 'records',
})

export const renameGame = simCommand<{ game: string; name: string }>({
  name: 'rename game',
  weight: 2,
  generate: (random, known) => {
    const game = random.any(known.games)
    return game === null ? null : { game, name: `renamed ${random.below(3)}` }
  },
  async run(node, { game, name }, context) {
    if ((await findGame(node.queries, game)) === null) throw notFound('game')
    const handled = await games.setGame(node.commands, game, { change: { name }, expect: anything }, context)
    return { answer: { name: (handled.after as Game).name }, written: handled.written, replayed: handled.replayed }
  },
  apply(model, { game, name }) {
    const present = model.games.get(game)
    if (present !== undefined) present.name = name
    return { name }
  },
  verdict(model, { game, name }) {
    const present = model.games.get(game)
    if (present === undefined) return 'game_not_found'
    return present.name === name ? 'nothing' : 'records'
  },
})

export const allowOrigins = simCommand<{ game: string; origins: readonly string[] }>({
  name: 'allow origins',
  weight: 4,
  generate: (random, known) => {
    const game = random.any(known.games)
    return game === null ? null : { game, origins: ORIGINS.filter(() => random.chance(0.5)) }
  },
  async run(node, { game, origins }, context) {
    if ((await findGame(node.queries, game)) === null) throw notFound('game')
    const handled = await games.setGame(
      node.commands,
      game,
      { change: { corsOrigins: origins }, expect: anything },
      context,
    )
    const answer = { origins: (handled.after as Game).corsOrigins }
    return { answer, written: handled.written, replayed: handled.replayed }
  },
  apply(model, { game, origins }, { stream }) {
    const present = model.games.get(game)
    if (present === undefined || stream !== gameStream(game)) throw new Error('origins of no game')
    present.origins = origins
    return { origins }
  },
  verdict(model, { game, origins }) {
    const present = model.games.get(game)
    if (present === undefined) return 'game_not_found'
    return present.origins.join() === origins.join() ? 'nothing' : 'records'
  },
})

export const switchSignIn = simCommand<{ game: string; signIn: ModelSignIn }>({
  name: 'switch sign-in',
  weight: 1.5,
  generate: (random, known) => {
    const game = random.any(known.games)
    // Mostly on, so that it can be switched off later.
    const on = () => random.chance(0.85)
    return game === null ? null : { game, signIn: { guest: on(), password: on(), code: on(), ticket: on() } }
  },
  async run(node, { game, signIn }, context) {
    if ((await findGame(node.queries, game)) === null) throw notFound('game')
    const handled = await games.setGame(node.commands, game, { change: { signIn }, expect: anything }, context)
    const answer = { signIn: (handled.after as Game).signIn }
    return { answer, written: handled.written, replayed: handled.replayed }
  },
  apply(model, { game, signIn }) {
    const present = model.games.get(game)
    if (present !== undefined) present.signIn = signIn
    return { signIn }
  },
  verdict(model, { game, signIn }) {
    const present = model.games.get(game)
    if (present === undefined) return 'game_not_found'
    return same(present.signIn, signIn) ? 'nothing' : 'records'
  },
})

export const setKeyPermissions = simCommand<{ prefix: string; game: string; permissions: readonly string[] }>({
  name: 'set key permissions',
  weight: 2,
  generate: (random, known) => {
    const key = random.any(known.keys)
    return key === null ? null : { ...key, permissions: PERMISSIONS.filter(() => random.chance(0.5)) }
  },
  async run(node, { prefix, game, permissions }, context) {
    if ((await findKey(node.queries, prefix)) === null) throw notFound('key')
    const handled = await keys.setPermissions(node.commands, { prefix, game, permissions, mayGrant: () => {} }, context)
    const { permissions: held, revoked } = handled.after as Key
    return { answer: { permissions: held, revoked }, written: handled.written, replayed: handled.replayed }
  },
  apply(model, { prefix, permissions }) {
    const present = model.keys.get(prefix)
    if (present !== undefined) present.permissions = permissions
    return { permissions, revoked: false }
  },
  verdict(model, { prefix, permissions }) {
    const present = model.keys.get(prefix)
    if (present === undefined) return 'key_not_found'
    if (present.revoked) return 'key_revoked'
    return present.permissions.join() === permissions.join() ? 'nothing' : 'records'
  },
})

export const revokeKey = simCommand<{ prefix: string; game: string }>({
  name: 'revoke key',
  weight: 1,
  generate: (random, known) => random.any(known.keys),
  async run(node, { prefix, game }, context) {
    if ((await findKey(node.queries, prefix)) === null) throw notFound('key')
    const handled = await keys.revoke(node.commands, prefix, game, context)
    const answer = { revoked: (handled.after as Key).revoked }
    return { answer, written: handled.written, replayed: handled.replayed }
  },
  apply(model, { prefix }) {
    const present = model.keys.get(prefix)
    if (present !== undefined) present.revoked = true
    return { revoked: true }
  },
  verdict(model, { prefix }) {
    const present = model.keys.get(prefix)
    if (present === undefined) return 'key_not_found'
    return present.revoked ? 'nothing' : 'records'
  },
})
