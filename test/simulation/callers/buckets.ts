// Simulated commands about buckets and folders.

import { unsafeCast } from '../../../domain/event.ts'
import type { Random } from '../../random.ts'
import type { ModelFolder, ModelRules } from '../model/files.ts'
import type { Model } from '../model/model.ts'
import { callRoute } from '../world/routes.ts'
import { notLetIn } from './bearers.ts'
import { type Bearer, type Known, simCommand } from './command.ts'

/** Small enough that a few files fill them. */
const LIMITS = {
  max_bytes: 60,
  max_files: 6,
  player_max_bytes: 30,
  player_max_files: 3,
  max_file_bytes: 20,
  monthly_download_bytes: 120,
}
export const FOLDERS = ['/a/', '/b/', '/a/c/']

const RULES = ['list_folders', 'list_files', 'mkdir', 'create', 'read', 'overwrite', 'delete']
const ofAll = (level: string): ModelRules => Object.fromEntries(RULES.map((rule) => [rule, level]))
const RULE_SETS: readonly ModelRules[] = [
  ofAll('anyone'),
  ofAll('anyone'),
  ofAll('player'),
  ofAll('creator'),
  { ...ofAll('player'), overwrite: 'creator', delete: 'creator' },
]

interface InBucket {
  readonly bucket: string
  readonly game: string
}

const bucketIn = (random: Random, known: Known): InBucket | null => {
  const bucket = random.any(known.buckets)
  return bucket && { bucket: bucket.id, game: bucket.game }
}

/** The tenant, or a signed-in player of the game. */
export function visitor(random: Random, known: Known, game: string): Bearer | 'tenant' {
  const player = random.any(known.bearers.filter((one) => one.game === game).slice(-4))
  if (player === null || random.chance(0.4)) return 'tenant'
  const { refreshToken: _, ...as } = player
  return as
}

export const playerOf = (as: Bearer | 'tenant'): string | null => (as === 'tenant' ? null : as.player)

export const bucketGone = (model: Model, bucket: string): string[] =>
  model.files.buckets.get(bucket)?.isDeleted === false ? [] : ['bucket_not_found']

/** Whether a rule admits a caller, given whether they own the folder or the file in it. */
export function admits(folder: ModelFolder, rule: string, as: Bearer | 'tenant', creator: string | null): boolean {
  const level = folder.rules[rule]
  const player = playerOf(as)
  if (as === 'tenant' || level === 'anyone') return true
  return player !== null && (level === 'player' || (level === 'creator' && player === creator))
}

export const makeBucket = simCommand<{ game: string; name: string }>({
  name: 'make bucket',
  weight: 3,
  generate(random, known) {
    const game = random.any(known.games)
    return game === null || known.buckets.length >= 3 ? null : { game, name: `bucket ${random.below(100)}` }
  },
  async run(node, { game, name }, context, known) {
    const path = 'POST /api/gm/:game/buckets/'
    const { body, written, replayed } = await callRoute(
      node,
      path,
      { as: 'tenant', game, body: { name, ...LIMITS } },
      context,
    )
    const { id } = unsafeCast<{ id: string }>(body)
    known.buckets.push({ id, game })
    return { answer: { id }, written: written ?? null, replayed: replayed === true }
  },
  apply: (_model, _args, { stream }) => ({ id: stream.slice('bucket-'.length) }),
  verdict: (model, { game }) => (model.games.has(game) ? 'records' : 'game_not_found'),
})

export const deleteBucket = simCommand<InBucket>({
  name: 'delete bucket',
  weight: 0.4,
  generate: bucketIn,
  async run(node, { bucket, game }, context) {
    const call = { as: 'tenant', game, params: { bucket } } as const
    const { written, replayed } = await callRoute(node, 'DELETE /api/bkt/:bucket/', call, context)
    return { answer: { deleted: bucket }, written: written ?? null, replayed: replayed === true }
  },
  apply: (_model, { bucket }) => ({ deleted: bucket }),
  verdict: (model, { bucket }) => (bucketGone(model, bucket).length > 0 ? 'bucket_not_found' : 'records'),
})

interface AtPath extends InBucket {
  readonly as: Bearer | 'tenant'
  readonly path: string
}

export const makeFolder = simCommand<AtPath>({
  name: 'make folder',
  weight: 6,
  generate(random, known) {
    const target = bucketIn(random, known)
    return target && { ...target, as: visitor(random, known, target.game), path: random.pick(FOLDERS) }
  },
  async run(node, { bucket, game, as, path }, context) {
    const call = { as, game, params: { bucket }, body: { path } }
    const { body, written, replayed } = await callRoute(node, 'POST /api/bkt/:bucket/dir/', call, context)
    const { creator, created } = unsafeCast<{ creator: string | null; created: string }>(body)
    return { answer: { path, creator, created }, written: written ?? null, replayed: replayed === true }
  },
  apply: (_model, { as, path }, { meta, type }) =>
    type === 'FolderCreated' ? { path, creator: playerOf(as), created: meta.time } : undefined,
  verdict(model, { bucket, as, path }, at) {
    const above = model.files.folderAt(bucket, path.slice(0, path.lastIndexOf('/', path.length - 2) + 1))
    const isIn = above !== null && admits(above, 'mkdir', as, above.creator)
    const isThere = [...model.files.folders.values()].some((one) => one.bucket === bucket && one.path === path)
    return [
      ...notLetIn(model, as, at),
      ...bucketGone(model, bucket),
      ...(isIn ? [] : ['not_found']),
      ...(isThere ? ['already_exists'] : []),
    ]
  },
})

interface NewRules extends InBucket {
  readonly path: string
  readonly rules: ModelRules
  readonly childRules: ModelRules | null
  readonly applyToExisting: boolean
}

export const setRules = simCommand<NewRules>({
  name: 'set rules',
  weight: 4,
  generate(random, known) {
    const target = bucketIn(random, known)
    if (target === null) return null
    const childRules = random.chance(0.3) ? random.pick(RULE_SETS) : null
    const path = random.pick(['/', '/', ...FOLDERS])
    return { ...target, path, rules: random.pick(RULE_SETS), childRules, applyToExisting: random.chance(0.4) }
  },
  async run(node, { bucket, game, path, rules, childRules, applyToExisting }, context) {
    const body = { path, rules, child_rules: childRules, apply_to_existing: applyToExisting }
    const call = { as: 'tenant', game, params: { bucket }, body } as const
    const { written, replayed } = await callRoute(node, 'PUT /api/bkt/:bucket/dir/rules/', call, context)
    return { answer: { path, rules }, written: written ?? null, replayed: replayed === true }
  },
  apply: (_model, { path, rules }) => ({ path, rules }),
  verdict(model, { bucket, path }) {
    return [
      ...bucketGone(model, bucket),
      ...(model.files.folderAt(bucket, path) === null ? ['not_found'] : ['records']),
    ]
  },
  // The folder may have been deleted meanwhile.
  afterwards: ['not_found', 'bucket_not_found'],
})

export const deleteFolder = simCommand<InBucket & { readonly path: string; readonly recursive: boolean }>({
  name: 'delete folder',
  weight: 3,
  generate(random, known) {
    const target = bucketIn(random, known)
    return target && { ...target, path: random.pick(FOLDERS), recursive: random.chance(0.8) }
  },
  async run(node, { bucket, game, path, recursive }, context) {
    const call = { as: 'tenant', game, params: { bucket }, query: { path, recursive: recursive ? '1' : '0' } } as const
    const { written, replayed } = await callRoute(node, 'DELETE /api/bkt/:bucket/dir/', call, context)
    return { answer: { deleted: path }, written: written ?? null, replayed: replayed === true }
  },
  apply: (_model, { path }) => ({ deleted: path }),
  verdict(model, { bucket, path, recursive }) {
    const folder = model.files.folderAt(bucket, path)
    const inside = [...model.files.files.values(), ...model.files.folders.values()]
    const isEmpty = !inside.some((one) => ('folder' in one ? one.folder : one.parent) === folder?.id)
    const codes = folder === null ? ['not_found'] : []
    return [...bucketGone(model, bucket), ...codes, ...(recursive || isEmpty ? ['records'] : ['folder_not_empty'])]
  },
})
