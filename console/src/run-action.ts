// Runs an action and shows its result, or its problem in words.

import { problemText } from './problem-text.ts'
import { endsSession } from './session.ts'
import { toast } from './toasts.tsx'

/** `done`: what the action did; null to say nothing. Returns whether it succeeded. */
export async function runAction<Value>(
  action: () => Promise<Value>,
  done: ((value: Value) => string | null) | null = null,
): Promise<boolean> {
  try {
    const value = await action()
    const text = done?.(value) ?? null
    if (text !== null) toast(text)
    return true
  } catch (error) {
    if (!endsSession(error)) toast(problemText(error), 'bad')
    return false
  }
}
