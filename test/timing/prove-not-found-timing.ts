// Soak test: the duration of a 404 must not reveal whether a path exists that the caller may not read. The answers must
// be equal except for the request id.

import { clientToken, makeGame, signInGuest } from '../front-door/game-fixtures.ts'
import { must, openWorld, type World } from '../front-door/world.ts'
import { type Comparison, compareTimes } from './compare.ts'

const NOBODY = {
  list_folders: 'nobody',
  list_files: 'nobody',
  mkdir: 'nobody',
  create: 'nobody',
  read: 'nobody',
  overwrite: 'nobody',
  delete: 'nobody',
}

type Ask = (path: string) => Promise<{ readonly status: number; readonly text: string }>

export async function proveNotFoundTiming(samples: number): Promise<Comparison[]> {
  const world = await openWorld()
  try {
    const { bucket, token } = await planted(world)
    const ask =
      (what: string): Ask =>
      (path) =>
        world.call('GET', `/api/bkt/${bucket}/${what}/?path=${path}`, { token })
    return [
      await compared('the list of a folder', samples, ask('ls'), '/shut/', '/none/'),
      await compared('a file’s details', samples, ask('file'), '/shut/file', '/none/file'),
      await compared('a file’s link', samples, ask('download'), '/shut/file', '/none/file'),
      await compared('a file’s details, its folder open', samples, ask('file'), '/own/file', '/own/none'),
      await compared('a file’s link, its folder open', samples, ask('download'), '/own/file', '/own/none'),
    ]
  } finally {
    await world.close()
  }
}

/** `/shut/` admits nobody; files in `/own/` belong to another player than the token's. */
async function planted(world: World): Promise<{ readonly bucket: string; readonly token: string }> {
  const game = await makeGame(world)
  const client = await clientToken(world, game)
  const ada = await signInGuest(world, game, client, 'Ada')
  const bob = await signInGuest(world, game, client, 'Bob')
  const post = (path: string, body: object, token: string) => world.call('POST', path, { token, body })
  const { id: bucket } = must(await post(`/api/gm/${game.id}/buckets/`, { name: 'Saves' }, game.token), 201)
  const rule = async (path: string, rules: object) => {
    const body = { path, rules: { ...NOBODY, ...rules }, child_rules: null }
    must(await world.call('PUT', `/api/bkt/${bucket}/dir/rules/`, { token: game.token, body }), 200)
  }
  for (const path of ['/shut/', '/own/']) {
    must(await post(`/api/bkt/${bucket}/dir/`, { path }, game.token), 201)
    await rule(path, { create: 'player' })
    const upload = must(await post(`/api/bkt/${bucket}/upload/`, { path: `${path}file`, size: 5 }, ada.token), 201)
    await world.files.send(upload.url, Buffer.from('bytes'))
    must(await post(`/api/bkt/${bucket}/upload/${upload.upload_id}/complete/`, {}, ada.token), 200)
  }
  await rule('/shut/', {})
  await rule('/own/', { create: 'player', read: 'creator' })
  return { bucket, token: bob.token }
}

async function compared(what: string, samples: number, ask: Ask, forbidden: string, missing: string) {
  const bodies = new Set<string>()
  const timed = (path: string) => async () => {
    const began = performance.now()
    const { status, text } = await ask(path)
    const seconds = (performance.now() - began) / 1_000
    if (status !== 404) throw new Error(`${status} where 404 was expected`)
    bodies.add(text.replace(/"request_id":"[^"]*"/, ''))
    return seconds
  }
  const found = await compareTimes(`404 of ${what}, forbidden / missing`, samples, timed(forbidden), timed(missing))
  if (bodies.size !== 1) throw new Error(`${what}: forbidden and missing differ: ${[...bodies].join(' ')}`)
  return found
}
