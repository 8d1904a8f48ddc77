// Revoked connections are closed on every node, for each way of revocation.

import { clientToken, makeKey } from '../front-door/game-fixtures.ts'
import { must, tokenOf } from '../front-door/world.ts'
import { openRoomsFixture, type RoomClient } from './rooms-fixture.ts'
import type { RoomsNodes } from './rooms-nodes.ts'

export interface RevokedProof {
  /** What was done -> milliseconds from its answer until all affected clients were notified and cut, on both nodes. */
  readonly cutMs: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/**
 * A node without revocations for two seconds closes all connections with `unavailable`. On a busy machine that may
 * happen and is right. `isCalm`: the machine is not busy, so it must not happen.
 */
export async function proveRevoked({ world, nodes }: RoomsNodes, isCalm: boolean): Promise<RevokedProof> {
  const isRight = (code: unknown, due: string) => code === due || (!isCalm && code === 'unavailable')
  const fixture = await openRoomsFixture(world, { require_player: false })
  const { id, token } = fixture.game
  const at = `/api/gm/${id}`
  const faults: string[] = []
  const cutMs: Record<string, number> = {}
  const both = (used: string) => Promise.all(nodes.map(({ port }) => fixture.enter({ token: used, port })))
  const bystanders = await both(await clientToken(world, fixture.game))

  async function cut(what: string, code: string, visitors: readonly RoomClient[], act: () => Promise<unknown>) {
    const over = visitors.map(async (roomClient) => {
      const report = await roomClient.next('closing').catch(() => null)
      await roomClient.over
      if (!isRight(report?.code, code)) faults.push(`${what}: the code is ${report?.code} instead of ${code}`)
    })
    await act()
    const began = performance.now()
    await Promise.all(over)
    cutMs[what] = Math.round(performance.now() - began)
  }

  for (const what of ['ban', 'delete', 'sign out', 'sign out everywhere']) {
    const guest = await fixture.guest()
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
    const key = await makeKey(world, fixture.game, { kind: 'client' })
    await cut(what, 'revoked', await both(await tokenOf(world, key)), async () => {
      const path = `${at}/keys/${key.prefix}/`
      if (what === 'key revoked') return must(await world.call('DELETE', path, { token }), 200)
      return must(await world.call('PUT', path, { token, body: { permissions: [`gm:${id}:auth`] } }), 200)
    })
  }
  for (const { socket } of bystanders) if (isCalm && !socket.connected) faults.push('a bystander was cut too')
  await cut('rooms switched off', 'rooms_off', bystanders, () => fixture.set({ enabled: false }))
  return { cutMs, faults }
}
