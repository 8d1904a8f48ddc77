// Records an example of every event of the rooms: two players who chat and watch a leaderboard.

import type { Socket } from 'socket.io-client'
import { makeBoard } from '../../front-door/game-fixtures.ts'
import { must, type World } from '../../front-door/world.ts'
import { closeRoomClients, openRoomsFixture, type RoomClient } from '../../realtime/rooms-fixture.ts'

/** Bodies by message, such as `client.join`, as they were sent and received. */
export async function recordRooms(world: World): Promise<Record<string, unknown>> {
  const fixture = await openRoomsFixture(world)
  const { game } = fixture
  const bodies: Record<string, unknown> = {}
  const board = await makeBoard(world, game, { name: 'Quest board' })
  const ada = await fixture.enter({ name: 'Quest player' })
  const grace = await fixture.enter({ name: 'Quest scorer' })
  for (const { socket } of [ada, grace]) keep(socket, bodies)
  const ask = (client: RoomClient, event: string, body: object) => {
    bodies[`client.${event}`] = body
    return client.ask(event, body)
  }
  const { room } = await ask(ada, 'create', { name: 'Lobby', max_members: 8 })
  await ask(grace, 'rooms', { search: 'lob' })
  await ask(grace, 'join', { room: room.id, since: 0 })
  await ada.next('member_joined')
  await ask(ada, 'send', { room: room.id, data: { text: 'hello' } })
  await grace.next('message')
  const { ticket } = must(await world.call('POST', `/api/gm/${game.id}/rt/listen/`, { token: game.token }), 201)
  const tenant = await fixture.enter({ ticket })
  keep(tenant.socket, bodies)
  await ask(tenant, 'listen', { room: room.id })
  await ask(ada, 'watch', { leaderboard: board, top: 10 })
  const body = { score: '1250.5', extra_data: { level: 7 } }
  must(await world.call('POST', `/api/lb/${board}/score/`, { token: grace.guest?.token ?? '', body }), 201)
  await ada.next('board_changed')
  await ask(ada, 'unwatch', { leaderboard: board })
  await ask(grace, 'leave', { room: room.id })
  await ada.next('member_left')
  // Grace has left, so this is refused, and the example of `send` is the one before.
  await grace.ask('send', { room: room.id, data: { text: 'again' } })
  await grace.next('refused')
  must(
    await world.call('PUT', `/api/gm/${game.id}/`, { token: game.token, body: { realtime: { enabled: false } } }),
    200,
  )
  await ada.next('closing')
  closeRoomClients()
  return bodies
}

function keep(socket: Socket, bodies: Record<string, unknown>): void {
  socket.onAny((event: string, body: unknown) => {
    bodies[`server.${event}`] ??= body
  })
}
