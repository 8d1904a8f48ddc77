// Events of leaderboards and scores.

import { z } from 'zod'
import type { BoardKeyEvent } from '../../domain/board-key.ts'
import type { LeaderboardEvent } from '../../domain/leaderboard.ts'
import type { ScoreEvent } from '../../domain/score.ts'
import { STANDING_FIRST } from '../../domain/seasons.ts'
import { count } from '../fields.ts'
import { boardRules, decimal, eventSchema, idOf, noData, personal, reference, schemasOf, text, time } from './schema.ts'

const name = text('The name of the leaderboard.')
const description = text('Its description; may be empty.')
const key = text('Its key, which callers may send in place of its id.')
const claim = text('The claim with which it took the key.')
const change = idOf('the rebuild')
const generation = z.int().positive().meta({ description: 'The number of the set of entries, from 1.' })
const upTo = reference.nullable().meta({ description: 'The last event of the leaderboard that was applied.' })
const after = reference.nullable().meta({ description: 'The event before the range; null: from the beginning.' })
const season = z.int().positive().meta({ description: 'The number of the season, from 1.' })
const events = count.meta({ description: 'How many events of the leaderboard it covers.' })
const total = count.meta({ description: 'How many events the leaderboard has.' })

export const LEADERBOARD_EVENTS = schemasOf<LeaderboardEvent>()({
  LeaderboardCreated: eventSchema('A leaderboard was created.', {
    name,
    description,
    rules: boardRules,
    key: key.exactOptional(),
    claim: claim.exactOptional(),
  }),
  LeaderboardDescribed: eventSchema('A leaderboard got another name or description.', { name, description }),
  LeaderboardKeyChanged: eventSchema('A leaderboard got another key, or none: both fields are null then.', {
    key: key.nullable(),
    claim: claim.nullable(),
  }),
  LeaderboardArchived: noData('A leaderboard was archived; it has no key any longer.'),
  LeaderboardRulesRequested: eventSchema('Other rules, or a rebuild under the active ones, were requested.', {
    change,
    generation,
    rules: boardRules,
  }),
  LeaderboardHistoryFolded: eventSchema('Progress of a rebuild before its first range.', {
    change,
    generation,
    events,
    total,
  }),
  LeaderboardSliceBuilt: eventSchema('A rebuild applied a range of the leaderboard’s events.', {
    change,
    generation,
    after,
    upTo: reference,
    events,
    total,
    asOf: reference.meta({ description: 'The event up to which the history was folded.' }).exactOptional(),
  }),
  LeaderboardRulesChanged: eventSchema('A rebuild is complete: its rules and entries are the active ones.', {
    change,
    generation,
    rules: boardRules,
    after,
    replaces: z.int().meta({ description: 'The generation that was active before.' }),
    total: total.exactOptional(),
  }),
  LeaderboardRulesCancelled: eventSchema('A rebuild was cancelled.', { change, generation, upTo }),
  LeaderboardRulesFailed: eventSchema('A rebuild failed; the active entries stay.', {
    change,
    generation,
    upTo,
    reason: text('Why.'),
  }),
  LeaderboardSliceCleared: eventSchema('A range of entries that are no longer active was removed.', {
    generation,
    after,
    upTo,
    until: reference.nullable().meta({ description: 'The last event of that generation.' }),
  }),
  SeasonScheduleSet: eventSchema('A leaderboard got a schedule of seasons, or lost it.', {
    schedule: z
      .strictObject({ cron: text('As it was sent: five fields, or a word.'), timeZone: text('A time zone of IANA.') })
      .nullable()
      .meta({ description: 'When seasons end. Null: no season follows.' }),
  }),
  SeasonOpened: eventSchema('A season of a leaderboard began.', {
    season,
    starts: time('When it began.'),
    ends: time('When it will end. The next season begins then.'),
  }),
  SeasonClosed: eventSchema('A season was closed: no later submission joins it.', {
    season,
    ends: time('When it ended, if that was before its time because the schedule changed.').exactOptional(),
  }),
  SeasonStandingRecorded: eventSchema('The standing with which a season was closed.', {
    season,
    players: count.meta({ description: 'How many players had an entry.' }),
    entries: count.meta({ description: 'How many entries it had.' }),
    first: z
      .array(z.strictObject({ player: idOf('the player'), score: decimal('The score.') }))
      .meta({ description: `The best entries, best first; at most ${STANDING_FIRST}.` }),
  }),
})

const claimed = { board: idOf('the leaderboard'), claim: text('Identifies this claim.') }

export const BOARD_KEY_EVENTS = schemasOf<BoardKeyEvent>()({
  LeaderboardKeyClaimed: eventSchema('A key began to belong to a leaderboard, which takes it next.', claimed),
  LeaderboardKeyReleased: eventSchema('A key became free: its leaderboard had given it up, or never took it.', claimed),
})

export const SCORE_EVENTS = schemasOf<ScoreEvent>()({
  ScoreSubmitted: eventSchema('A player submitted a score; it counts also if it improved nothing.', {
    id: idOf('the submission'),
    score: decimal('The score.'),
    secondary: decimal('The secondary score.').nullable(),
    extra: personal('`extra_data` as the text of its JSON.'),
    playerName: personal('The name that was sent with the score.'),
  }),
  ScoreDeleted: eventSchema('A submission was deleted, or all of a player up to a revision.', {
    id: idOf('the submission'),
    upTo: count.nullable().meta({
      description: 'All submissions of this stream up to this revision are deleted; null: only the one with the id.',
    }),
  }),
})
