// The story by the client library, in Node and in a browser: `config`, `storage` and `done` come from where it runs.

import { connect } from '@scorebook/client'
import { connectRooms } from '@scorebook/client/rooms'
import { io } from 'socket.io-client'

export async function story({ url, key, game, board, bucket, voidGuest }, storage) {
  const session = { key: key.prefix, refreshToken: voidGuest, token: voidGuest, expires_at: 0 }
  const kept = { player: { id: 'gone', name: 'Ada' }, guestToken: voidGuest, session }
  storage.setItem(`scorebook ${url} ${game} guest`, JSON.stringify(kept))
  storage.setItem(`scorebook ${url}`, 'guests')

  const client = await connect({ baseUrl: url, key, storage })
  let player = await client.asGuest(game, { name: 'Ada' })
  await player.me().catch(async (problem) => {
    if (problem.code !== 'sign_in_rejected') throw problem
    player = await client.asGuest(game, { name: 'Ada' })
  })
  const { rank, season: joined } = await player.submit(board, { score: '12.5' })
  const { scores } = await player.scores(board, { around: player.player.id, limit: 3 })
  const { seasons } = await player.seasons(board)
  const current = await player.scores(board, { season: 'current' })
  const season = `${joined.season} ${joined.rank} ${seasons.map(({ state }) => state)} ${current.scores.map(({ score }) => score)}`
  await player.uploadFile(bucket, '/slot.bin', new Blob(['level 3']))
  const file = await (await player.downloadFile(bucket, '/slot.bin')).bytes.text()

  // One connection from the beginning, so that cutting it always ends the session.
  const socket = (address, options) => io(address, { ...options, transports: ['websocket'] })
  const rooms = await connectRooms(socket, player)
  // A fixed room: one that a player made ends with its last connection.
  const { room } = await rooms.join('den')
  const back = new Promise((resolve) => rooms.on('rejoined', resolve))
  await fetch(`${url}/cut-rooms`, { method: 'POST' })
  await back
  const heard = new Promise((resolve) => rooms.on('message', resolve))
  await rooms.send(room.id, { move: 'e4' })
  const { data } = await heard
  rooms.close()
  return { rank, around: scores.map(({ score }) => score), season, file, room: data.move }
}
