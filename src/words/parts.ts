/** A part of a sentence: words, or the name of the argument that stands there. */
export type Part = { words: string } | { argument: string; forms: readonly string[] | null }

/** Reads a sentence of the catalogue. `{name}` is an argument; `{n:one|more}` and `{side:long=Long|short=Short}` choose. */
export function partsIn(words: string): readonly Part[] {
  return words.split(/(\{[^}]*\})/).flatMap((piece): Part[] => {
    if (!piece.startsWith('{')) return piece === '' ? [] : [{ words: piece }]
    const [argument = '', forms] = piece.slice(1, -1).split(/:(.*)/s)
    return [{ argument, forms: forms === undefined ? null : forms.split('|') }]
  })
}

/** Returns the sentence as words and arguments, in order. An argument that is not given is `?`. */
export function filled<Argument>(
  parts: readonly Part[],
  given: Readonly<Record<string, Argument>>,
): (string | Argument)[] {
  return parts.map((part) => pieceOf(part, given))
}

/** Returns a part of the sentence as it reads with these arguments. */
export function pieceOf<Argument>(part: Part, given: Readonly<Record<string, Argument>>): string | Argument {
  if ('words' in part) return part.words
  const argument = given[part.argument]
  return part.forms === null ? (argument ?? '?') : chosen(part.forms, argument)
}

function chosen(forms: readonly string[], argument: unknown): string {
  const [first = '', other = first] = forms
  if (!first.includes('=')) return argument === 1 ? first : other
  const form = forms.find((one) => one.startsWith(`${String(argument)}=`)) ?? ''
  return form.slice(form.indexOf('=') + 1)
}
