import type { Sources } from './sources.ts'

/** A sentence for people that says what the bot is going to do. */
export interface Promised {
  path: string
  sentence: string
}

/** Words of a promise. What the bot does in the very answer, or never does, is none. */
const PROMISE = new RegExp(
  [
    String.raw`\bI(?:’ll\b|’m (?:checking now|alerting)| (?:will|tell (?:you (?:when|what)|them)|try (?:again|every|to reach)|say (?:so|when)|ask (?:you|in turn)|look again|go on|sum|write (?:it anew|to you)|watch it all the same)\b)`,
    String.raw`\b(?:keep trying|rings all the same|still ring|come late|[Yy]ou’ll get an alert|[Yy]ou still hear|you get it again|is sent as soon as|go out as soon as|your alerts start|(?:worse|happened meanwhile) is told|gets worse is told|it gets (?:what your|critical alerts)|what is critical goes there|critical alerts go there|comes in one message|Waiting messages come|position, still watched|and I try again)\b`,
  ].join('|'),
)

/** All promises in strings of the sources, each once; a figure in one is `…`. */
export function promisesIn(sources: Sources): Promised[] {
  const all = [...sources].flatMap(([path, text]) =>
    stringsIn(text)
      .flatMap((said) => said.split(/(?<=[.;!?]) /))
      .filter((sentence) => PROMISE.test(sentence))
      .map((sentence) => ({ path, sentence: sentence.trim() })),
  )
  return [...new Map(all.map((one) => [`${one.path} ${one.sentence}`, one])).values()]
}

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
const STRINGS = /'(?:[^'\\\n]|\\.)*'|`[^`]*`|"(?:[^"\\\n]|\\.)*"/g

function stringsIn(text: string): string[] {
  let plain = text.replace(COMMENTS, '')
  // Innermost first: a figure in a template may itself hold one.
  for (let before = ''; before !== plain;) {
    before = plain
    plain = plain.replace(/\$\{\{[^{}]*\}\}|\$\{[^{}]*\}/g, '…')
  }
  return [...plain.matchAll(STRINGS)].map(([quoted]) => quoted.slice(1, -1))
}
