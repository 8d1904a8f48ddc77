// What a stranger could learn from how long a 404 takes: a path that is there and that they may not touch beside one that is
// not there. Over HTTP, one call at a time, each kind in turn; medians.

import { clientToken, makeGame, signInGuest } from '../test/front-door/scenery.ts'
import { must, openWorld, type World } from '../test/front-door/world.ts'
import { median, type Size } from './measure.ts'
import type { BenchRow } from './row.ts'

const SAMPLES = 2_000
const QUICK_SAMPLES = 200
/** How much one median may differ from the other. */
const GOAL = 0.05
const WARM = 50
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

export async function benchNotFoundTiming(size: Size): Promise<BenchRow[]> {
  const samples = size.quick ? QUICK_SAMPLES : SAMPLES
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

/** `/shut/` lets nobody in; in `/own/` each file is its maker's, who is another one than the token's player. */
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
    const begun = must(await post(`/api/bkt/${bucket}/upload/`, { path: `${path}file`, size: 5 }, ada.token), 201)
    await world.files.send(begun.url, Buffer.from('bytes'))
    must(await post(`/api/bkt/${bucket}/upload/${begun.upload_id}/complete/`, {}, ada.token), 200)
  }
  await rule('/shut/', {})
  await rule('/own/', { create: 'player', read: 'creator' })
  return { bucket, token: bob.token }
}

async function compared(what: string, samples: number, ask: Ask, forbidden: string, missing: string) {
  const times = { forbidden: [] as number[], missing: [] as number[] }
  const bodies = new Set<string>()
  for (let n = -WARM; n < samples; n++) {
    // The one that is first is another one each time.
    const turns = n % 2 === 0 ? (['forbidden', 'missing'] as const) : (['missing', 'forbidden'] as const)
    for (const side of turns) {
      const began = performance.now()
      const { status, text } = await ask(side === 'forbidden' ? forbidden : missing)
      const seconds = (performance.now() - began) / 1_000
      if (status !== 404) throw new Error(`${status} where 404 was expected`)
      bodies.add(text.replace(/"request_id":"[^"]*"/, ''))
      if (n >= 0) times[side].push(seconds)
    }
  }
  if (bodies.size !== 1) throw new Error(`${what}: forbidden and missing are told apart: ${[...bodies].join(' ')}`)
  const ratio = median(times.forbidden) / median(times.missing)
  const told = (seconds: readonly number[]) => `${(median(seconds) * 1_000).toFixed(3)} ms`
  return {
    what: `404 of ${what}, forbidden / missing, ${samples} each`,
    limit: told(times.missing),
    ours: told(times.forbidden),
    ratio: ratio.toFixed(3),
    goal: `1 ± ${GOAL}`,
    met: Math.abs(ratio - 1) <= GOAL,
  }
}
