import type english from '../en/wallets.ts'

export default {
  'wallets.count.title': '{n} {n:Wallet|Wallets}',
  'wallets.name.title': '{label} · {wallet}',
  'wallets.unseen': 'noch nicht gelesen',
  'wallets.seen': '{n} {n:Position|Positionen}, {age}',
  'wallets.partly': 'Ein Teil war nicht lesbar. Welcher, steht bei den Positionen.',
  'wallets.rules': '{n} {n:eigene Regel|eigene Regeln}',
  'wallets.remove.title': '{label} nicht mehr beobachten?',
  'wallets.remove.rules': '{n} {n:Regel fällt|Regeln fallen} damit weg.',
  'wallets.remove.asks': 'remove (entfernen)',
  'wallets.button.add': 'Wallet hinzufügen',
  'wallets.button.positions': 'Positionen',
  'wallets.button.orders': 'Orders',
  'wallets.button.remove': 'Entfernen',
  'wallets.button.stop': 'Nicht beobachten',
  'wallets.button.back': '‹ Zurück',
  'wallets.button.wallets': '‹ Wallets',
  'wallets.button.menu': '‹ Menü',

  'unwatch.sure.asks': 'yes (ja)',
  'unwatch.unknown': 'Diese Wallet beobachtest du nicht.',
  'unwatch.ask.title': '{label} nicht mehr beobachten?',
  'unwatch.ask.rules': '{n} {n:Regel von dir würde|Regeln von dir würden} damit wegfallen.',
  'unwatch.done.title': '{label} beobachte ich nicht mehr',
  'unwatch.done.rules': '{n} {n:Regel|Regeln} entfernt',
  'unwatch.button.stop': 'Nicht beobachten',
  'unwatch.button.again': 'Wieder beobachten',
  'unwatch.button.wallets': 'Wallets',

  'watch.label.asks': 'Ein Name dafür, etwa main',
  'watch.no-chat': 'Wir haben noch keinen privaten Chat: Schreib mir dort zuerst.',
  'watch.full':
    'Du überwachst {wallets} {wallets:Wallet|Wallets}, mehr geht nicht. Entferne erst eine: /wallets',
  'watch.long.title': 'Dieser Name ist zu lang: Er darf 24 Zeichen haben.',
  'watch.long.shorter': 'Wähle einen kürzeren.',
  'watch.button.call': '{label} nehmen',
  'watch.taken': '„{label}“ heißt schon {wallet}. Wähle einen anderen Namen.',
  'watch.similar': '„{label}“ sieht aus wie {other}, so heißt {wallet}. Wähle einen anderen Namen.',
  'watch.done.title': '✓ Ich überwache {label}',
  'watch.done-positions.title': '✓ Ich überwache {label}: {positions} {positions:Position|Positionen}',
  'watch.known.title': '{label} überwache ich schon',
  'watch.renamed.title': '{before} heißt jetzt {label}',
  'watch.alerts':
    'Alarm gibt es, wenn eine Position der Liquidation nahe kommt ({tiers}), öffnet, schließt, ihre Größe ändert oder das Funding dreht.',
  'watch.alerts-margin':
    'Alarm gibt es, wenn eine Position der Liquidation nahe kommt ({tiers}), öffnet, schließt, sich ändert, Margin fehlt ({ratios}) oder Funding dreht.',
  'watch.kept': 'Ihre Alarme bleiben, wie sie sind.',
  'watch.unset': 'Nicht gesetzt: {kinds}. Zum Beispiel: {example}',
  'watch.no-ratio': 'Die Margin-Quote konnte ich noch nicht sehen, ich versuche es weiter.',
  'watch.unseen': 'Die Positionen konnte ich nicht sehen: {why}',
  'watch.keep-trying':
    'Das ist keine Entwarnung. Ich versuche es weiter, und deine Alarme beginnen, sobald ich sie sehe.',
  'watch.unsure': 'Ob es offene Positionen gibt, kann ich nicht sagen.',
  'watch.gap': 'Ich sehe nicht alles: {gap}',
  'watch.more': 'und {more} weitere',
  'watch.nothing': 'Die Börse zeigt dort keine offene Position. Wenn du eine erwartest, prüfe die Adresse.',
  'watch.idle': 'Die Börse kennt diese Wallet. Offen ist dort gerade nichts.',
  'watch.subs-idle':
    'In {accounts} {accounts:Unterkonto|Unterkonten} ist auch nichts offen. Ein Unterkonto überwache ich nur mit eigener Adresse.',
  'watch.subs-open':
    'Von {accounts} {accounts:Unterkonto|Unterkonten} {open} mit offenen Positionen. Ein Unterkonto überwache ich nur mit eigener Adresse.',
  'watch.strange':
    'Diese Adresse hat die Börse nie gesehen: Prüfe sie. Ich überwache sie trotzdem, sie kann neu sein.',
  'watch.agent': 'Diese Adresse unterschreibt für {wallet}: Dort sind ihre Positionen.',
  'watch.agent-known':
    'Diese Adresse unterschreibt für {wallet}, die du schon überwachst: Dort sind ihre Positionen.',
  'watch.prices': 'Preise',
  'watch.button.watch': '{wallet} nehmen',
  'watch.button.positions': 'Positionen',
  'watch.button.alerts': 'Alarme ändern',
  'venue.which': '{symbol} auf {venue}; auch {others}',
} satisfies Record<keyof typeof english, string>
