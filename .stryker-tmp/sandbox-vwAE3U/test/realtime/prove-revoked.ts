// Whoever may be in the rooms no longer is cut on every node, however it came about.

import { clientToken, makeKey } from '../front-door/scenery.ts'
import { must, tokenOf } from '../front-door/world.ts'
import { openParty, type Visitor } from './party.ts'
import type { RoomsNodes } from './rooms-nodes.ts'

export interface RevokedProof {
  /** What was done -> milliseconds from its answer until all affected clients were notified and cut, on both nodes. */
  readonly cutMs: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/**
 * A node that did not hear of revocations for two seconds cuts everybody, saying `unavailable`: on a machine that is
 * busy with other things that may come, and is right. `isCalm`: it is not, and so may not.
 */
export async function proveRevoked({ world, nodes }: RoomsNodes, isCalm: boolean): Promise<RevokedProof> {
  const isRight = (code: unknown, due: string) => code === due || (!isCalm && code === 'unavailable')
  const party = await openParty(world, { require_player: false })
  const { id, token } = party.game
  const at = `/api/gm/${id}`
  const faults: string[] = []
  const cutMs: Record<string, number> = {}
  const both = (used: string) => Promise.all(nodes.map(({ port }) => party.enter({ token: used, port })))
  const bystanders = await both(await clientToken(world, party.game))

  async function cut(what: string, code: string, visitors: readonly Visitor[], act: () => Promise<unknown>) {
    const over = visitors.map(async (visitor) => {
      const told = await visitor.next('closing').catch(() => null)
      await visitor.over
      if (!isRight(told?.code, code)) faults.push(`${what}: told ${told?.code} in place of ${code}`)
    })
    await act()
    const began = performance.now()
    await Promise.all(over)
    cutMs[what] = Math.round(performance.now() - began)
  }

  for (const what of ['ban', 'delete', 'sign out', 'sign out everywhere']) {
    const guest = await party.guest()
    const path = { ban: 'ban/', delete: '', 'sign out': '', 'sign out everywhere': 'signout/' }[what] ?? ''
    await cut(what, 'revoked', await both(guest.token), async () => {
      if (what === 'sign out') {
        return must(await world.call('POST', `${at}/player/signout/`, { token: guest.token, body: {} }), 200)
      }
      const [method, body] = what === 'delete' ? ['DELETE', {}] : ['POST', { body: {} }]
      return must(await world.call(method, `${at}/players/${guest.id}/${path}`, { token, ...body }), 200)
    })
  }
  for (const what of ['key narrowed', 'key revoked']) {
    const key = await makeKey(world, party.game, { kind: 'client' })
    await cut(what, 'revoked', await both(await tokenOf(world, key)), async () => {
      const path = `${at}/keys/${key.prefix}/`
      if (what === 'key revoked') return must(await world.call('DELETE', path, { token }), 200)
      return must(await world.call('PUT', path, { token, body: { permissions: [`gm:${id}:auth`] } }), 200)
    })
  }
  for (const { socket } of bystanders) if (isCalm && !socket.connected) faults.push('a bystander was cut too')
  await cut('rooms switched off', 'rooms_off', bystanders, () => party.set({ enabled: false }))
  return { cutMs, faults }
}
