import type english from '../en/outage.ts'

export default {
  'outage.title': 'Ich sehe {what} nicht',
  'outage.title-too': 'Ich sehe auch {what} nicht',
  'outage.since': 'seit {at}: {why}',
  'outage.last-seen': 'zuletzt: {name} {distance}',
  'outage.more': 'und {more} weitere',
  'outage.orders':
    'Positionen überwache ich weiter. Order-Alarme ruhen, bis ich die Orders wieder lesen kann.',
  'outage.margin': 'Positionen überwache ich weiter, jede nach ihrem eigenen Preis.',
  'outage.wallet':
    'Ich prüfe die letzten Positionen am aktuellen Preis. Wird es schlimmer, warne ich dich; nichts gilt als sicher, bis ich die Wallet wieder sehe.',
  'outage.prices':
    'Ohne Preise erkenne ich keine neue Gefahr. Deine Alarme bleiben, wie sie waren. Ich sage dir, wenn ich wieder sehe.',
  'outage.waits': '{rules} {many:wartet|warten} bis dahin. Beenden: /remove {first}',
  'outage.rules-more': '{rules} und {more} weitere',
  'outage.back': 'Ich sehe {what} wieder',
  'outage.lasted': 'Ich sah {span} lang nichts',
  'outage.lasted-from': 'Ich sah von {from} bis {until} nichts ({span})',
  'outage.was': '{name} {distance} (war {before})',

  'outage.source.venue': 'die Börse',
  'outage.source.wallet': 'Wallet {wallet}',
  'outage.source.account': 'Wallet {wallet} in {account}',
  'outage.source.margin': 'die Margin von Wallet {wallet}',
  'outage.source.margin-of': 'die Margin von Wallet {wallet} in {account}',
  'outage.source.orders': 'die Orders von Wallet {wallet}',
  'outage.source.market': 'den Markt {market}',
  'outage.source.markets': '{markets} Märkte in {dex}',
  'outage.source.account-number': 'Konto {digits}',

  'suspension.title': 'Ich stand {span} still und sah nichts',
  'suspension.from': 'von {from} bis {until}: mein Prozess lief nicht',
  'suspension.now': 'Ich prüfe jetzt. Alarme aus dieser Zeit kommen spät.',
} satisfies Record<keyof typeof english, string>
