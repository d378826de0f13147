export interface Page {
  status: number;
  contentType: string;
  body: string;
  maxAgeSeconds: number;
}

export function htmlPage(status: number, body: string): Page {
  return { status, contentType: 'text/html; charset=utf-8', body, maxAgeSeconds: 0 };
}

export function errorPage(status: number, message: string): Page {
  return htmlPage(status, layout(`${status}`, `<h1>${status}</h1>\n<p>${escapeHtml(message)}</p>`));
}

/** Like real pages: unclosed elements, unquoted attributes, and misleading text in a script and a comment. */
export function layout(title: string, content: string): string {
  return `<!DOCTYPE html>
<html lang=en>
<head>
  <meta charset="utf-8">
  <meta name=viewport content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)} &middot; Simulated Gaming Network</title>
  <style>
    body { font: 16px/1.5 sans-serif; margin: 0 auto; max-width: 70rem; padding: 0 1rem; }
    table { border-collapse: collapse; width: 100%; } td, th { padding: .25rem .5rem; text-align: left; }
    .text-right { text-align: right; } .counters { display: flex; gap: 3rem; } .text-muted { opacity: .7; }
  </style>
  <script type="application/json">{ "counter": "<h3>0</h3><p>Users Online Now</p>" }</script>
</head>
<body>
<nav class="navbar navbar-dark">
  <ul class=nav>
    <li><a href="/">Home</a>
    <li><a href="/#games">Games</a>
    <li><a href="/#help">Help &amp; Support</a>
  </ul>
</nav>
<!-- <h3>0</h3><p>Registered Users</p> <table class="table table-striped"><tr><td>Old layout<td class="text-right">9/9</table> -->
<main class="container">
${content}
</main>
<footer class="footer">
  <p class="text-muted">This network is simulated: its games, companies and players are invented.
  <p><a href="#top">Back to top</a>
</footer>
</body>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
