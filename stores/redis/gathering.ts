// Questions that many requests, or one call with many submissions, ask in the same turn of the event loop go out as one
// script: a script costs the client and the server more than ten of its answers.

/** Questions of one script, which blocks the server for about 2 ms. */
const QUESTIONS_AT_ONCE = 500

/** Answers each question, in order. */
type Ask<Question, Answer> = (of: string, questions: readonly Question[]) => Promise<readonly Answer[]>

interface Gathered<Question, Answer> {
  readonly questions: Question[]
  readonly answers: Promise<readonly Answer[]>
}

/** Questions are gathered if they are `of` the same. None joins a script that is already sent. */
export function gathering<Question, Answer>(ask: Ask<Question, Answer>): Ask<Question, Answer> {
  const waiting = new Map<string, Gathered<Question, Answer>>()

  function gather(of: string): Gathered<Question, Answer> {
    const questions: Question[] = []
    const gathered = {
      questions,
      // After all answers that have arrived together from another server: their callbacks may ask too.
      answers: new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        if (waiting.get(of) === gathered) waiting.delete(of)
        return ask(of, questions)
      }),
    }
    waiting.set(of, gathered)
    return gathered
  }

  return async (of, asked) => {
    const last = waiting.get(of)
    const hasRoom = last !== undefined && last.questions.length + asked.length <= QUESTIONS_AT_ONCE
    const { questions, answers } = hasRoom ? last : gather(of)
    const first = questions.length
    questions.push(...asked)
    return (await answers).slice(first, first + asked.length)
  }
}
