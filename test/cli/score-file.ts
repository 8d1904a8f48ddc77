// A random CSV file of scores, in which some rows are wrong, and what an import of it records and refuses.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Random } from '../random.ts'

export interface FilePlayer {
  readonly id: string
  readonly externalId: string
}

export interface ScoreFile {
  readonly path: string
  readonly rows: number
  /** Player -> the scores that are recorded, in their order. */
  readonly scores: ReadonlyMap<string, readonly string[]>
  /** Line -> the code of its refusal. */
  readonly wrong: ReadonlyMap<number, string>
}

export const MAX_SCORE = '1000'
const COLUMNS = ['player', 'external_id', 'score', 'extra_data']
/** Few values, so that many rows are equal. */
const SCORES = 400
const WRONG = 0.01
/** The shares of rows with extra data, and of those over two lines. */
const EXTRA = 0.1
const TWO_LINES = 0.2

type Cells = readonly [player: string, externalId: string, score: string, extra: string]

/** Each makes a row wrong. */
const WRONGS: readonly { readonly code: string; cells(right: Cells): readonly string[] }[] = [
  { code: 'malformed', cells: ([player, external, score, extra]) => [player, external, `x${score}`, extra] },
  { code: 'malformed', cells: ([player, external, , extra]) => [player, external, '', extra] },
  { code: 'malformed', cells: ([player, external, , extra]) => [player, external, '1,5', extra] },
  { code: 'malformed', cells: ([, , score]) => ['', '', score, ''] },
  { code: 'malformed', cells: ([player, external, score]) => [player || 'a', external || 'b', score, ''] },
  { code: 'malformed', cells: ([player, external, score]) => [player, external, score, '{"level":'] },
  { code: 'malformed', cells: ([player, external, score]) => [player, external, score] },
  { code: 'malformed', cells: ([player, external, score, extra]) => [player, external, score, extra, 'more'] },
  { code: 'score_above_maximum', cells: ([player, external, , extra]) => [player, external, `${MAX_SCORE}.5`, extra] },
  { code: 'unknown_player', cells: ([, , score, extra]) => ['', 'nobody', score, extra] },
  { code: 'unknown_player', cells: ([, , score, extra]) => ['aaaaaaaaaaaaaaaaaaaaaaaa', '', score, extra] },
]

/** Writes a file of `rows` rows. */
export async function writeScoreFile(
  path: string,
  rows: number,
  players: readonly FilePlayer[],
  random: Random,
): Promise<ScoreFile> {
  const out = createWriteStream(path)
  const scores = new Map<string, string[]>(players.map(({ id }) => [id, []]))
  const wrong = new Map<number, string>()
  let line = 1
  out.write(`${COLUMNS.join()}\n`)
  for (let n = 0; n < rows; n++) {
    const { id, externalId } = random.pick(players)
    const score = `${random.below(SCORES) / 2}`
    const isLong = random.chance(EXTRA)
    const extra = isLong ? `{"level":${random.chance(TWO_LINES) ? '\n' : ''}${random.below(9)}}` : ''
    const right: Cells = random.chance(0.5) ? [id, '', score, extra] : ['', externalId, score, extra]
    const kind = random.chance(WRONG) ? random.pick(WRONGS) : null
    const text = (kind?.cells(right) ?? right).map(quoted).join()
    line += text.split('\n').length
    if (kind === null) scores.get(id)?.push(score)
    else wrong.set(line, kind.code)
    if (!out.write(`${text}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return { path, rows, scores, wrong }
}

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
