const FIGURE = /^\d[\d.,]*%?$/
/** `20,10,5` and `10%,5%`: more than one comma, or a sign before it, is no figure of anybody's. */
const COMMAS = /^\d{1,2}(?:\.\d+)?(?:%(?:,\d{1,2}(?:\.\d+)?%?)+|(?:,\d{1,2}(?:\.\d+)?%?){2,})$/

/** `20 / 10 / 5 / 2.5 %` as we write it ourselves: figures apart, with the sign that the last one carries for all. */
export function withLists(words: readonly string[]): readonly string[] {
  if (!words.some((word) => /[/,]/.test(word))) return words
  const apart = words.flatMap((typed) => {
    const word = typed.replace(/(?<=[\d%]),$/, '')
    if (COMMAS.test(word)) return word.split(',')
    const parts = word.split('/').filter((part) => part !== '')
    return word === '/' || parts.every((part) => FIGURE.test(part)) ? parts : [word]
  })
  const last = apart.findLast((word) => FIGURE.test(word))
  return last?.endsWith('%')
    ? apart.map((word) => (FIGURE.test(word) ? word.replace(/%?$/, '%') : word))
    : apart
}
