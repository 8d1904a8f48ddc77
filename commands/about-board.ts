// What a command on a leaderboard is about: its stream, and what the metadata of its events names.

import { boardStream } from '../domain/leaderboard.ts'

export interface BoardRef {
  readonly board: string
  readonly game: string
}

export const aboutBoard = ({ board, game }: BoardRef) => ({ stream: boardStream(board), game, board })
