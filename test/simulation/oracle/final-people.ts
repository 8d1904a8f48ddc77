// Checks players, sessions and sign-in methods after a history, on one node and in the stored vault.

import { findPlayer } from '../../../queries/player.ts'
import { findSession } from '../../../queries/session.ts'
import { sealVault } from '../../../stores/log-decorators/sealing/vault.ts'
import type { Model } from '../model/model.ts'
import type { Running } from '../world/node.ts'
import type { World } from '../world/world.ts'
import { same } from './same.ts'

export async function checkPeople({ queries, name }: Running, model: Model): Promise<string[]> {
  const defects: string[] = []
  const expect = (what: string, is: unknown, due: unknown) => {
    if (!same(is, due)) defects.push(`${what} on ${name} is ${JSON.stringify(is)} and should be ${JSON.stringify(due)}`)
  }
  for (const [id, player] of model.players) {
    const found = await findPlayer(queries, id)
    const due = { ...player, deleted: false }
    expect(`player ${id}`, found === null ? null : { game: found.game, ...found.state }, due)
  }
  for (const id of model.gone.keys()) expect(`deleted player ${id}`, await findPlayer(queries, id), null)
  for (const [id, { player, ended }] of model.sessions) {
    const found = (await findSession(queries, id))?.state
    expect(`session ${id}`, [found?.player, found?.ended], [player, ended])
  }
  return defects
}

/** Every claim has an owner, the vault has no released claims, and one master key encrypts everything. */
export async function checkVault({ vault, masters }: World, model: Model): Promise<string[]> {
  const defects: string[] = []
  const { foreign, damaged, isComplete } = await masters.seal(vault)
  if (foreign.size > 0 || damaged > 0 || !isComplete) defects.push('the vault is not all under the present master key')
  const opened = sealVault(vault, masters.keys())
  const has = async (kind: 'password' | 'login' | 'email' | 'guest-token' | 'refresh-token', id: string) =>
    (await opened.get(kind, id)) !== null
  for (const [stream, { player, secret }] of model.claims) {
    const links = model.players.get(player)?.links ?? []
    if (!links.some((link) => link.secret === secret && stream.endsWith(`.${link.digest}`)))
      defects.push(`${stream} is claimed for ${player}, who does not have it`)
  }
  for (const [stream, player] of model.externals)
    if (!model.players.has(player)) defects.push(`${stream} is claimed for ${player}, who is not there`)
  for (const [id, { links, game, takenOver }] of model.players) {
    for (const { kind, digest, secret } of links) {
      const stream = `${kind === 'login' ? 'login' : 'mail'}-${game}.${digest}`
      if (model.claims.get(stream)?.secret !== secret) defects.push(`${stream} is linked to ${id}, and not claimed so`)
      if (!(await has(kind === 'login' ? 'password' : 'email', secret)))
        defects.push(`no ${kind} of ${id} in the vault`)
    }
    if (takenOver !== null && (await has('guest-token', id))) defects.push(`the guest token of ${id} stands`)
  }
  for (const [id, secrets] of model.gone) {
    if ((await opened.get('player-key', id))?.length !== 0) defects.push(`the key of deleted player ${id} is there`)
    if (await has('guest-token', id)) defects.push(`the guest token of deleted player ${id} is there`)
    for (const secret of secrets)
      for (const kind of ['password', 'login', 'email'] as const)
        if (await has(kind, secret)) defects.push(`the ${kind} of deleted player ${id} is there`)
  }
  const named = new Set([
    ...[...model.claims.values()].map(({ secret }) => secret),
    ...[...model.players.values()].flatMap(({ links }) => links.map(({ secret }) => secret)),
  ])
  for (const { kind, id } of await vault.scan(null, Number.MAX_SAFE_INTEGER))
    if ((kind === 'password' || kind === 'login' || kind === 'email') && !named.has(id))
      defects.push(`nothing names the ${kind} ${id}`)
  for (const [id, { player, ended }] of model.sessions) {
    const kept = await has('refresh-token', id)
    if (!ended && model.players.has(player) && !kept) defects.push(`nothing renews session ${id}`)
  }
  return defects
}
