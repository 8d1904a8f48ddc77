import { ProblemError } from '../api.ts'
import { TextField } from '../components/fields.tsx'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'

interface KeyFieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
  /** The failure of the last attempt to send the form; null if there was none. */
  readonly refused: unknown
}

/** The field of a leaderboard's key; empty: none. Shows why the key was refused. */
export function BoardKeyField({ value, onValue, refused }: KeyFieldProps) {
  return (
    <TextField
      label={texts.boards.key}
      hint={texts.boards.keyHint}
      value={value}
      onValue={onValue}
      problem={isKeyProblem(refused) ? <KeyProblem problem={refused} /> : null}
    />
  )
}

/** The key in a field, for the API. */
export const keyIn = (field: string): string | null => (field.trim() === '' ? null : field.trim())

/** Whether a failure is about the key alone, so that its field can say all of it. */
export function isKeyProblem(failure: unknown): failure is ProblemError {
  if (!(failure instanceof ProblemError)) return false
  if (failure.code === 'leaderboard_key_taken') return true
  return failure.errors.length > 0 && failure.errors.every(({ pointer }) => pointer === '/key')
}

function KeyProblem({ problem }: { readonly problem: ProblemError }) {
  const { leaderboard } = problem.fields
  if (problem.errors.length > 0)
    return <>{problem.errors.map(({ detail }) => texts.boards.keyFault(detail)).join(' ')}</>
  return (
    <>
      {problem.detail}{' '}
      {typeof leaderboard === 'string' && <a href={to.leaderboard(leaderboard)}>{texts.boards.keyOwner}</a>}
    </>
  )
}
