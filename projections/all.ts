// Every view this program keeps.

import { commands } from './commands.ts'
import { entries } from './entries.ts'
import { games } from './games.ts'
import { keys } from './keys.ts'
import { leaderboards } from './leaderboards.ts'
import { origins } from './origins.ts'
import { players } from './players.ts'
import type { Projection } from './projection.ts'
import { sessions } from './sessions.ts'

const SLICES: readonly Projection[] = [games, keys, origins, players, sessions, leaderboards, entries]

/** Types of events that no view but that of calls takes. */
const OTHER_TYPES = ['ExternalClaimed', 'CallAnswered']

const types = new Set([...SLICES.flatMap(({ takes }) => takes), ...OTHER_TYPES])

export const ALL_VIEWS: readonly Projection[] = [...SLICES, commands([...types])]
