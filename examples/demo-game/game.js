// Meteor Tap: a guest, scores that survive a lost network, a live leaderboard, and its past day.

import { connect } from '@scorebook/client'
import { createOutbox } from '@scorebook/client/outbox'
import { connectRooms, withChanges } from '@scorebook/client/rooms'
import { io } from 'socket.io-client'

const ROUND_MS = 10_000
const DAY_MS = 86_400_000
const TOP = 10
const at = (id) => document.getElementById(id)

const { baseUrl, key, game, leaderboard } = await (await fetch('config.json')).json()
let player
let shown = []

// A guest who was here before needs no network to play.
try {
  const client = await connect({ baseUrl, key })
  player = await client.asGuest(game)
} catch (problem) {
  at('net').textContent = `Not connected: ${problem.message}`
  throw problem
}
const outbox = createOutbox(player, {
  onSent: (_, best) => {
    news(best.improved ? `Your best yet: number ${best.rank}.` : `Sent. Your best stays ${best.score}, number ${best.rank}.`)
    showNet()
  },
  onRefused: (_, problem) => news(problem.detail),
  onUnknown: ({ score }) => news(`It is not known whether ${score.score} points arrived.`),
})

function news(text) {
  at('news').textContent = text
}

function showNet() {
  at('net').classList.toggle('on', navigator.onLine)
  at('net').textContent = navigator.onLine ? `Playing as ${player.player.name}` : 'Offline: scores are kept'
}
addEventListener('online', showNet)
addEventListener('offline', showNet)
showNet()

function showScores(scores) {
  const rows = scores.slice(0, TOP).map(({ rank, player: id, player_name: name, score }) => {
    const row = document.createElement('li')
    row.className = id === player.player.id ? 'me' : ''
    for (const [kind, text] of [['span', rank], ['span', name ?? 'Deleted player'], ['b', score]]) {
      row.append(Object.assign(document.createElement(kind), { textContent: text }))
    }
    return row
  })
  at('rows').replaceChildren(...rows)
}

// The live leaderboard. Lost connections are made again by themselves.
const isLive = () => at('past').value === at('past').max
function live(scores) {
  shown = scores
  if (isLive()) showScores(scores)
}
async function watch() {
  const rooms = await connectRooms(io, player)
  rooms.on('board', ({ scores }) => live(scores))
  rooms.on('board_changed', ({ changes }) => live(withChanges(shown, changes)))
  await rooms.watch(leaderboard, TOP)
}
async function watchWhenOnline() {
  try {
    await watch()
  } catch {
    setTimeout(watchWhenOnline, 3_000)
  }
}
watchWhenOnline()

// The past: the same read, as of an instant. Only the last position that was asked for is shown.
let reading = 0
async function showPast() {
  const now = ++reading
  const share = at('past').value / at('past').max
  const instant = new Date(Date.now() - (1 - share) * DAY_MS)
  at('when').textContent = isLive() ? 'live' : instant.toLocaleString([], { weekday: 'short', hour: '2-digit', minute: '2-digit' })
  if (isLive()) return showScores(shown)
  try {
    const { scores } = await player.scores(leaderboard, { as_of: instant.toISOString(), limit: TOP })
    if (now === reading) showScores(scores)
  } catch (problem) {
    // Before the leaderboard was created.
    if (now === reading) showScores([])
    if (problem.status !== 404) news(problem.message)
  }
}
at('past').addEventListener('input', showPast)
at('replay').addEventListener('click', async () => {
  at('replay').disabled = true
  for (let step = 0; step <= 96; step += 4) {
    at('past').value = step
    await Promise.all([showPast(), new Promise((next) => setTimeout(next, 120))])
  }
  at('replay').disabled = false
})

// The game itself.
let points = 0
let ends = 0
let appeared = 0
function move() {
  const [sky, meteor] = [at('sky'), at('meteor')]
  meteor.style.left = `${Math.random() * (sky.clientWidth - 58)}px`
  meteor.style.top = `${Math.random() * (sky.clientHeight - 58)}px`
  appeared = performance.now()
}
at('play').addEventListener('click', () => {
  points = 0
  ends = performance.now() + ROUND_MS
  at('intro').hidden = true
  at('meteor').hidden = false
  at('score').textContent = 0
  news('')
  move()
  requestAnimationFrame(tick)
})
at('meteor').addEventListener('click', () => {
  points += Math.max(10, Math.round(120 - (performance.now() - appeared) / 10))
  at('score').textContent = points
  move()
})
async function tick() {
  const left = Math.max(0, ends - performance.now())
  at('time').textContent = (left / 1_000).toFixed(1)
  if (left > 0) return requestAnimationFrame(tick)
  at('meteor').hidden = true
  at('intro').hidden = false
  at('play').textContent = 'Play again'
  if (points === 0) return news('No points this time.')
  await outbox.submit(leaderboard, { score: String(points) })
  if (!navigator.onLine) news(`${points} points are kept until you are online.`)
}
