/** A part of a sentence: words, or the name of the argument that stands there. */
export type Part =
  | { words: string }
  /** The words of a choice by word are kept: very many messages of one moment choose by it. */
  | { argument: string; forms: readonly string[] | null; byWord: ReadonlyMap<string, string> | null }

/** Reads a sentence of the catalogue. `{name}` is an argument; `{n:one|more}` and `{side:long=Long|short=Short}` choose. */
export function partsIn(words: string): readonly Part[] {
  return words.split(/(\{[^}]*\})/).flatMap((piece): Part[] => {
    if (!piece.startsWith('{')) return piece === '' ? [] : [{ words: piece }]
    const [argument = '', forms] = piece.slice(1, -1).split(/:(.*)/s)
    const all = forms?.split('|') ?? null
    return [{ argument, forms: all, byWord: all?.[0]?.includes('=') ? wordsIn(all) : null }]
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
  if (part.forms === null) return argument ?? '?'
  if (part.byWord !== null) return part.byWord.get(String(argument)) ?? ''
  const [first = '', other = first] = part.forms
  return argument === 1 ? first : other
}

function wordsIn(forms: readonly string[]): ReadonlyMap<string, string> {
  // The first form of a word counts.
  const all = forms.toReversed().map((form): [string, string] => {
    const end = form.indexOf('=')
    return [form.slice(0, end), form.slice(end + 1)]
  })
  return new Map(all)
}
