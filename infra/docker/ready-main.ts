// The health check of a container: ready is what says so at its own port, or at the URL that is given.
const { PORT = '8080' } = process.env;
const [url = `http://127.0.0.1:${PORT}/readyz`] = process.argv.slice(2);
const answer = await fetch(url).catch(() => undefined);
if (answer?.ok !== true) {
  process.stderr.write(answer === undefined ? 'no answer\n' : await answer.text());
  process.exitCode = 1;
}
