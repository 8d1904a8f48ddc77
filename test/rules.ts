// Rules of boards that tests make without asking the service for one.

import type { Rules } from '../domain/board-rules.ts'

/** The highest score first, and any score is within bounds. */
export const rulesOf = (unique: boolean): Rules => ({
  ordering: 'desc',
  secondaryOrdering: 'desc',
  unique,
  minScore: null,
  maxScore: null,
})
