import { item, type Message, message, type Text, words } from '../../message/message.ts'
import { opposite } from './replies.ts'
import type { Vocabulary } from './vocabulary.ts'

// Words that are no request: a greeting, thanks, `ok`, `stop`. They change nothing.

/** The meaning of a text that was typed without a slash. */
export type Spoken =
  /** The same as this line. */
  { is: 'line'; line: string } | { is: 'answer'; answer: Message }

/** A person, and whether others read the answer. */
export interface Asker {
  vocabulary: Vocabulary
  isPrivate: boolean
}

const GREETING =
  /^(?:(?:hi+|hey+|h?ello+|helo|hellp?o|hallo|hola|yo|wass?up|what.?s up|gm|gn|sup|howdy|greetings|moin|servus|guten (?:morgen|tag|abend)|salut|ciao|ola|namaste|welcome|good (?:morning|evening|afternoon|day|night))(?: (?:yo|what.?s up|there|all|everyone|bot|perch|again|man|mate|bro|friend|sir|team|guys))*)$/
const THANKS =
  /^(?:(?:ok|great|nice|cool|perfect|many|awesome) )?(?:tha?nks?|thankyou|thx|thnx|ty|tysm|thank you|thank u|cheers|danke(?: dir| schön)?|vielen dank|merci|gracias|nice|great|cool|perfect|awesome|good (?:bot|job|work)|well done|love it|lol|haha+|wow|👍|🙏|❤️?)(?: (?:a lot|so much|very much|bot|perch|man|mate|bro|you|all|again))*$/
const FINE =
  /^(?:ok+|okay|okey|k|kk|fine|alright|all right|sure|ja|passt|gesehen|yes|yep|yeah|y|got it|gotcha|understood|noted|seen|seen it|i see|i saw(?: it)?|roger|done|right|deal|👌|✅|✔️?)$/
const NO = /^(?:no|nein|nope|nah|n|no thanks|never ?mind|nothing)$/
/** A bot that only reads is asked to trade, or whether it could. */
const TRADE =
  /^(?:(?:please|pls|bitte|just|can you|could you|will you|do you|can i|how do i|how can i|i want to|i want you to|i need to|i have to) )*(?:(?:buy|sell|close(?! to\b)|schlie(?:ß|ss)en?|verkaufen?|kaufen?|trade|open (?:a )?(?:long|short)|market (?:buy|sell)|go (?:long|short)|take profit at|set (?:a |my )?(?:stop|sl|tp)\b|move my stop|transfer|withdraw|deposit|swap)\b)|^(?:bitte )?(?:(?:meine|die|alle) )?positione?n? schlie(?:ß|ss)en$|\b(?:private key|seed phrase|seed|mnemonic|api key|password)\b/
const ERASE =
  /^(?:please )?(?:delete|erase|remove|wipe|clear) (?:(?:all|all of|my|everything|data|account|me|of) ?)+$/
const BYE =
  /^(?:bye|bye bye|tschüss|tschüs|gute nacht|goodbye|see you|see ya|cya|later|good ?night|gn|exit|leave|end|logout)$/
const STOP =
  /^(?:stop|stopp|aus|aufhören|off|cancel|unsubscribe|unsub|shut up|enough|no more|quiet please|leave me alone|go away|turn (?:it|this|that|them|everything) off|end it)$/
/** `no alerts for eth`, `stop the notifications`, `don’t warn me`. */
const FEWER =
  /^(?:(?:stop|cancel|disable|remove|delete|kill|clear|end|unset|turn off|switch off|get rid of|no|no more|too many|fewer|less)\b.*\b(?:alerts?|alerting|alarms?|notif\w*|warn\w*|messag\w*|rules?|spam\w*|remind\w*|ping\w*|texting|that|this|it|them)|(?:remove|delete|cancel|disable|undo) (?:that|this|it|them|last|the last(?: one)?)|(?:do not|don.?t|dont|never) (?:alert|warn|tell|notify|message|ping|remind|text|wake|bother)|turn (?:the |my |all )*(?:alerts?|notifications?) off|(?:alerts?|notifications?) off)\b/
const LOST =
  /^(?:help|help me|hilfe|was kannst du|wie geht das|i need help|i.?m lost|what|what now|huh|\?+|how|how do(?:es)? (?:this|it|that|i|you)(?: (?:use|work|start))?(?: (?:this|it|you))?|what can (?:you|i|u) do|what do you do|who are you|who made you|are you (?:a bot|human|real|ai)|what are you|what is this|what.?s this|commands?|instructions|man|manual|guide|tutorial|faq|support|info|about)$/
const HOME =
  /^(?:menu|menü|menue|home|main|main menu|back|options|buttons?|dashboard|start over|restart|reset)$/

/** Answers words that ask for nothing; null if they may ask for something. `said` is in small letters. */
export function smallTalk(said: string, asker: Asker): Spoken | null {
  if (BYE.test(said)) return bye(asker)
  if (GREETING.test(said)) return answer(helloText(asker), [...forOne(asker), menu])
  if (THANKS.test(said)) return answer(words('parse.welcome'), [...forOne(asker), menu])
  if (FINE.test(said)) return fine(asker)
  if (NO.test(said)) return answer(words('parse.unchanged'), [...forOne(asker), menu])
  if (ERASE.test(said)) return { is: 'line', line: '/forget' }
  if (TRADE.test(said))
    return answer(words('parse.trade'), [...waysFor(asker), menu], words('parse.trade.can'))
  if (HOME.test(said)) return { is: 'line', line: '/menu' }
  if (LOST.test(said)) return { is: 'line', line: '/help' }
  return STOP.test(said) || FEWER.test(said) ? fewer(said, asker) : null
}

const positions = { label: words('parse.button.positions'), line: '/positions', replace: true }
const alerts = { label: words('parse.button.alerts'), line: '/alerts', replace: true }
const ways = { label: words('shown.button.ways-out'), line: '/fix', replace: true }
const menu = { label: words('parse.button.menu'), line: '/menu', replace: true }

/** A group shows nothing of a person. */
function mayShow({ vocabulary: { view, personId }, isPrivate }: Asker): boolean {
  return isPrivate && view.watches(personId).length > 0
}

function forOne(asker: Asker) {
  return mayShow(asker) ? [positions, alerts] : []
}

function waysFor(asker: Asker) {
  return mayShow(asker) ? [positions, ways, alerts] : []
}

/** Somebody without a wallet hears no promise: nothing of theirs is watched. */
function bye(asker: Asker): Spoken {
  if (!asker.isPrivate) return answer(words('parse.bye'), [menu])
  return mayShow(asker)
    ? answer(words('parse.bye'), [positions, menu])
    : answer(words('parse.bye.new'), [menu])
}

function helloText({ vocabulary: { view, personId }, isPrivate }: Asker): Text {
  if (!isPrivate) return words('parse.hello.group')
  const { length } = view.watches(personId)
  return length === 0 ? words('parse.hello.new') : words('parse.hello', { wallets: length })
}

/** Somebody says `ok` below an alert: that acknowledges nothing by itself. */
function fine(asker: Asker): Spoken {
  const { view, personId } = asker.vocabulary
  const waiting = view.firing(personId).filter(({ acknowledgement }) => acknowledgement.is === 'waiting')
  const [only, ...more] = asker.isPrivate ? waiting : []
  if (!only) return answer(words('parse.fine'), [...forOne(asker), menu])
  const title =
    more.length === 0
      ? words('parse.seen', { alert: only.about, id: only.alertId })
      : words('parse.seen.many', { alerts: more.length + 1 })
  return answer(title, [
    {
      label: words('parse.button.ack'),
      line: more.length === 0 ? `/ack A${only.alertId}` : '/ack',
      replace: true,
    },
    positions,
  ])
}

function fewer(said: string, { vocabulary, isPrivate }: Asker): Spoken {
  const alert = vocabulary.commands.find(({ name }) => name === 'alert')
  if (!isPrivate || !alert) return { is: 'line', line: '/alerts' }
  return { is: 'answer', answer: opposite(alert, 'off', said.split(' '), vocabulary) }
}

function answer(title: Text, buttons: Message['buttons'], ...lines: Text[]): Spoken {
  return { is: 'answer', answer: message([item('plain', title, lines)], { buttons }) }
}
