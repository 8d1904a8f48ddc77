/** Why an action failed, in words; nothing where it did not. */
export function Problem({ text }: { readonly text: string | null }) {
  return text === null ? null : (
    <p class="message bad wrap" role="alert">
      {text}
    </p>
  )
}
