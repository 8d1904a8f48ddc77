// The limit of rooms: plain Socket.IO with the same messages and joins.

import { createServer } from 'node:http'
import { Server } from 'socket.io'

const http = createServer((_request, response) => response.end('ok'))
const io = new Server(http, { serveClient: false, transports: ['websocket'] })
const seqs = new Map<string, number>()

io.on('connection', (socket) => {
  socket.on('join', ({ room }: { room: string }, answer: (body: unknown) => void) => {
    socket.to(room).emit('member_joined', { room, member: socket.id, player: null })
    socket.join(room)
    answer({ ok: true, room: { id: room }, member: socket.id })
  })
  socket.on('send', ({ room, data }: { room: string; data: unknown }) => {
    const seq = (seqs.get(room) ?? 0) + 1
    seqs.set(room, seq)
    io.to(room).emit('message', { room, from: socket.id, data, seq, sent_at: new Date().toISOString() })
  })
})
http.listen(Number(process.env.PORT), '127.0.0.1')
