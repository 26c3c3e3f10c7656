import type english from '../en/people.ts'

export default {
  'escalation.at-once': 'sofort',
  'escalation.after': 'nach {minutes} min',
  'escalation.unanswered': 'wenn {minutes} min niemand bestätigt',
  'escalation.button.at-once': 'Sofort',
  'escalation.button.after': '{minutes} min',

  'trouble.title': 'Kritische Alarme erreichen vielleicht niemanden',
  'trouble.no-chat': 'Ich kann dich nicht warnen: Ich habe keinen privaten Chat mit dir. Schreib mir dort.',
  'trouble.handover': 'An {name} übergeben, aber dort kommt nichts an: {why}.',
  'trouble.unwritable': 'Auf {platform} kann ich dir nicht schreiben',
  'trouble.covered': '{wrong}. Deine Alarme gehen stattdessen an {platform}.',
  'trouble.late': '{wrong}. {platform} bekommt kritische Alarme eine Minute später; der Rest wartet.',
  'trouble.next': '{wrong}. Kritische Alarme gehen {when} an {name}, vorher an niemanden. /link',
  'trouble.alone': '{wrong}, und du hast keinen Ersatz. /link fügt eine Plattform hinzu.',
  'trouble.backup-late':
    'Fällt {platform} aus, gehen kritische Alarme {when} an {name}, vorher an niemanden. Nenn einen Ersatz-Chat: /settings fallback',
  'trouble.no-backup': 'Kein Ersatz: Fällt {platform} aus, erreichen dich kritische Alarme nicht. /link',
  'trouble.step': '{name} ({when}): {wrong}.',
  'trouble.one-platform': 'Alles läuft über {platform}. Fällt das aus, erfährt niemand etwas. /link',

  'wrong.not-set-up': '{platform} ist hier nicht eingerichtet',
  'wrong.unwritable': 'dort kann ich nicht schreiben: {why}',
  'wrong.replaced': '{wrong}; {platform} springt ein',
  'wrong.no-chat': 'ich habe keinen privaten Chat mit dieser Person',
  'wrong.not-backup': 'vertritt dich nicht mehr. Zum Entfernen: /escalate @{name} none',

  'muted.all': 'Alles',
  'muted.wallet': 'Alarme für {wallet}',
  'muted.market': '{market}-Alarme',
  'muted.kind': '{kind}-Alarme',

  'people.stranger':
    'Dieser Perch ist privat. Bitte die Person, die ihn betreibt, um eine Einladung, und schick mir /start mit dem Code.',
  'people.full':
    'Dieser Perch ist voll. Bitte die Person, die ihn betreibt, um eine Einladung, und schick mir /start mit dem Code.',
  'people.full.next': 'Dieser Perch ist voll. Der nächste nimmt dich gern auf:',
  'people.button.next': 'Nächstes öffnen',
  'people.not-set-up':
    'Diese Gruppe ist nicht für Alarme eingerichtet. Ein Admin kann mit /channel bind anfangen.',
  'people.no-chat': 'Ich habe noch keinen privaten Chat mit dir. Schreib mir dort zuerst.',

  'operator.slow': 'Wallets werden nur alle {every} gelesen, nicht alle {wished}',
  'operator.slow.why':
    'Die Börse begrenzt, wie oft ich fragen darf. Änderungen in einer Wallet sehe ich so spät.',
  'operator.slow.prices':
    'Preise bleiben live, gefährdete Wallets kommen zuerst. /status full zeigt die Grenzen.',
  'operator.in-time': 'Wallets werden wieder alle {wished} gelesen',
  'operator.capacity':
    'Meine Anfragen reichen für etwa {served} {served:Wallet|Wallets}; {watched} werden überwacht',
  'operator.capacity.why': 'Ab jetzt wird eine Wallet seltener als alle {wished} gelesen.',
  'operator.backup': 'Kein Backup möglich: {why}',
  'operator.backup.again': 'Ich versuche es stündlich wieder und schweige dazu, bis es klappt.',
  'operator.heartbeat': 'Dein Totmannschalter ({host}) nimmt meine Pings wieder an',
  'operator.no-heartbeat': 'Dein Totmannschalter ({host}) nimmt meine Pings nicht an: {why}',
  'operator.no-heartbeat.mend':
    'Prüf HEARTBEAT_URL. Bis dahin klingelt er vielleicht grundlos, oder bleibt still, wenn ich weg bin.',
  'status.leads': '{name} führt seit {age}',
  'status.standby': '{name} kann sofort übernehmen',
  'status.standby.behind': '{name} liegt {age} zurück',
  'status.standby.none': 'Kein Standby: fällt diese Maschine aus, übernimmt niemand',
  'operator.standby.none': 'Seit {age} kein Standby',
  'operator.standby.none.mend':
    'Fällt diese Maschine aus, übernimmt niemand. Starte den anderen Perch wieder.',
  'operator.standby.back': 'Es gibt wieder einen Standby',
  'operator.wal': 'Das Log der Datenbank (-wal) ist auf {size} MB gewachsen',
  'operator.wal.mend':
    'Ein anderes Programm hält die Datenbank offen, etwa eine Kopie oder Shell. Schließ es, bevor die Platte voll ist.',
  'operator.paused': '{platform} will, dass ich {age} lang nichts sende',
  'operator.paused.again':
    'Ich versuche es alle paar Minuten wieder. Was wartet, geht hinaus, sobald es darf.',
  'operator.chat-paused': '{platform} will, dass ich {age} warte, bevor ich wieder an {name} schreibe',
  'operator.chat-paused.again': 'Ich versuche es alle {age}.',
  'operator.private-chat': 'einen privaten Chat',
  'operator.resumed': '{platform} nimmt meine Nachrichten wieder an, nach {age}',
  'operator.resumed.late': 'Wartende Nachrichten sagen, wie spät sie sind.',

  'restored.title': 'Ich wurde aus einem Backup wiederhergestellt',
  'restored.until': 'Mein Gedächtnis endet um {until}; von da an geht es weiter.',
  'restored.check': 'Wallets, Alarme und Einstellungen sind wie damals. Schau nach, ob etwas fehlt.',
  'restored.again': 'Nachrichten von seither wiederhole ich vielleicht.',
  'restored.button.wallets': 'Wallets',
  'restored.button.alerts': 'Alarme',

  'place.asks': '{what}, oder none',
  'place.ended': '✓ An {name} schreibe ich nicht mehr',
  'place.was-backup': '⚠ Das war dein Ersatz-Chat. Jetzt hast du keinen.',
  'place.takes': '{name} nimmt {what}, zum Beispiel {example}',
  'place.unusable': 'Damit kann ich nichts anfangen.',
  'place.unusable.why': 'Damit kann ich nichts anfangen: {why}',
  'place.tested': '✓ Test an {title} gesendet',
  'place.noted': '{title} ist notiert',
  'place.unproven': 'Ich verlasse mich erst darauf, wenn dort eine Nachricht angekommen ist.',
  'place.key': 'Schlüssel der Signaturen, nur jetzt zu sehen: {key}',
  'place.unused': 'Noch geht nichts dorthin.',
  'place.is-backup': 'Das ist dein Ersatz-Chat: Er bekommt, was dein erster Chat nicht annimmt.',
  'place.in-list': 'Es steht in deiner Liste: Kritische Alarme kommen dort an, {when}.',
  'place.will-be-backup': 'Danach ist es dein Ersatz-Chat.',
  'place.will-be-in-list': 'Danach steht es in deiner Liste.',
  'place.none': '{name}: keiner',
  'place.named': '{name}: {title}',
  'place.broken': '{name}: {title}, dort kann ich nicht schreiben: {why}',
  'place.no-title': 'eingerichtet',
  'place.button.backup': 'Als Ersatz nehmen',
  'place.button.list': 'In meine Liste',
  'place.button.other': 'Ersatz: {name}',
  'place.button.test': 'Probealarm',
  'place.button.settings': '‹ Einstellungen',

  'reach.refused': 'Dort kann ich nicht schreiben: {why}.',
  'reach.name-again':
    'Bis das behoben ist, kommt dort nichts an. Nenn es dann noch einmal, und ich versuche es wieder.',
  'reach.say-again':
    'Bis das behoben ist, kommt dort nichts an. Schreib mir dann irgendetwas, und ich versuche es wieder.',
  'reach.waits': 'Der Test ist unterwegs, aber noch nicht durch.',
  'reach.waits.why': 'Der Test ist unterwegs, aber noch nicht durch: {why}.',
  'reach.broken': '⚠ Dort kann ich gerade nicht schreiben: {why}.',
} satisfies Record<keyof typeof english, string>
