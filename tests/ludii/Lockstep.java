import game.Game;
import game.types.board.SiteType;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.json.JSONArray;
import org.json.JSONObject;
import other.GameLoader;
import other.context.Context;
import other.move.Move;
import other.topology.TopologyElement;
import other.trial.Trial;

/**
 * Plays random games in Ludii and in reynard at once and compares boards, legal moves hop by hop, and winners.
 * Arguments: the folder of Ludii, the program reynard, the table of games, games of each, and names to play (all).
 */
public final class Lockstep {
    /** A game is broken off after this number of plies. */
    static final int MOST_PLIES = 160;

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0], "Common/res/lud/board/hunt");
        int games = Integer.parseInt(arguments[3]);
        List<String> wanted = Arrays.asList(arguments).subList(4, arguments.length);
        Map<String, Integer> verdicts = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of(arguments[2]))) {
            if (line.isBlank() || line.startsWith("#")) continue;
            String[] column = line.split("\\s*\\|\\s*", -1);
            String name = (column[1] + " " + column[2]).strip();
            if (!wanted.isEmpty() && !wanted.contains(column[1])) continue;
            String verdict;
            try {
                List<String> options = column[4].isEmpty() ? List.of() : Arrays.asList(column[4].split("\\s*;\\s*"));
                Game game = GameLoader.loadGameFromFile(mended(folder.resolve(column[3] + ".lud"), column[6]), options);
                verdict = new Lockstep(game, new Engine(arguments[1], column[1], column[2]), column[5]).play(games);
            } catch (Exception error) {
                verdict = "failed: " + error;
            }
            boolean isEqual = verdict.startsWith("equal");
            String note = column[7].isEmpty() ? "" : "  [" + column[7] + "]";
            System.out.printf("%3s  %-44s %s%s%n", column[0], name, verdict, note);
            String kind = isEqual || note.isEmpty() || !column[6].isEmpty() ? verdict.split("[ :]")[0] : "known deviation";
            verdicts.merge(kind, 1, Integer::sum);
        }
        System.out.println(verdicts);
        System.exit(verdicts.keySet().stream().allMatch(kind -> kind.matches("equal|known deviation")) ? 0 : 1);
    }

    /** A file of Ludii, in which texts are replaced where the changes are `OLD => NEW`, with `;;` between them. */
    static File mended(Path file, String changes) throws Exception {
        if (changes.isEmpty()) return file.toFile();
        String text = Files.readString(file).replaceAll("//.*", "").replaceAll("\\s+", " ");
        for (String change : changes.split(" ;; ")) {
            String[] texts = change.split(" => ");
            if (!text.contains(texts[0])) throw new IllegalStateException("no '" + texts[0] + "' in " + file);
            text = text.replace(texts[0], texts[1]);
        }
        Path copy = Files.createTempFile("mended", ".lud");
        copy.toFile().deleteOnExit();
        return Files.writeString(copy, text).toFile();
    }

    /** reynard, spoken to by its text protocol. */
    static final class Engine {
        final PrintStream commands;
        final BufferedReader answers;

        Engine(String program, String ruleset, String switches) throws Exception {
            Process process =
                new ProcessBuilder(program).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            commands = new PrintStream(process.getOutputStream(), true);
            answers = new BufferedReader(new InputStreamReader(process.getInputStream()));
            boolean isFile = new File(ruleset).exists();
            commands.println("setoption name " + (isFile ? "RulesFile" : "Ruleset") + " value " + ruleset);
            // History ends no game in Ludii.
            commands.println("setoption name RuleSwitches value repetition=none no_progress=1000 " + switches);
        }

        String ask(String query) throws Exception {
            commands.println("query " + query);
            for (String line; (line = answers.readLine()) != null; ) {
                if (line.startsWith("response ")) return line.substring(9);
                if (line.contains("error")) throw new IllegalStateException(line);
            }
            throw new IllegalStateException("reynard has ended");
        }
    }

    final Game game;
    final Engine engine;
    final SiteType type;
    /** The name of reynard's point of each of Ludii's sites. */
    final Map<Integer, String> names = new HashMap<>();
    /** The player of Ludii that has the few. */
    int few;
    int positions;
    int merged;

    Lockstep(Game game, Engine engine, String turn) throws Exception {
        this.game = game;
        this.engine = engine;
        type = game.board().defaultSite();
        JSONArray list = new JSONObject(engine.ask("board")).getJSONArray("points");
        List<Point> there = IntStream.range(0, list.length()).mapToObj(list::getJSONObject)
            .map(point -> new Point(point.getString("name"), point.getDouble("x"), point.getDouble("y"))).toList();
        List<Point> here = (type == SiteType.Cell ? game.board().topology().cells() : game.board().topology().vertices())
            .stream().map(site -> turned(site, turn))
            // A draughtboard is played on the cells of one colour.
            .filter(site -> type == SiteType.Vertex || ((int) site.x + (int) site.y) % 2 == 0).toList();
        List<List<Point>> rows = rows(here);
        List<List<Point>> other = rows(there);
        compare("the lengths of the rows are", rows.stream().map(List::size).toList(), other.stream().map(List::size).toList());
        for (int row = 0; row < rows.size(); row++) {
            for (int index = 0; index < rows.get(row).size(); index++) {
                names.put(Integer.valueOf(rows.get(row).get(index).name), other.get(row).get(index).name);
            }
        }
    }

    /** A point of either board. */
    record Point(String name, double x, double y) {}

    /** A site as reynard's board has it: turned round, by a quarter, seen in a mirror, or moved by a file. */
    static Point turned(TopologyElement site, String turn) {
        double x = site.centroid().getX();
        double y = site.centroid().getY();
        String name = String.valueOf(site.index());
        return switch (turn) {
            case "half" -> new Point(name, -x, -y);
            case "left" -> new Point(name, -y, x);
            case "mirror" -> new Point(name, 8 - x, y);
            case "moved" -> new Point(name, x + 1, y);
            default -> new Point(name, x, y);
        };
    }

    /**
     * The points by rows from below, in each row from the left: they match whatever the distances are, also on a board
     * that one of the two has sheared.
     */
    static List<List<Point>> rows(List<Point> points) {
        List<List<Point>> rows = new ArrayList<>();
        for (Point point : points.stream().sorted(Comparator.comparingDouble(Point::y)).toList()) {
            boolean isNew = rows.isEmpty() || point.y - rows.get(rows.size() - 1).get(0).y > 1e-2;
            if (isNew) rows.add(new ArrayList<>());
            rows.get(rows.size() - 1).add(point);
        }
        rows.forEach(row -> row.sort(Comparator.comparingDouble(Point::x)));
        return rows;
    }

    String play(int games) throws Exception {
        int decided = 0;
        for (int number = 0; number < games; number++) {
            List<String> moves = new ArrayList<>();
            try {
                if (playOne(new Random(number), moves)) decided++;
            } catch (IllegalStateException difference) {
                return "different: " + difference.getMessage() + " after " + String.join(" ", moves);
            }
        }
        return "equal in " + games + " games, " + positions + " positions, " + decided + " decided"
            + (merged == 0 ? "" : ", merged routes in " + merged);
    }

    /** Plays a game; whether it was decided. */
    boolean playOne(Random random, List<String> played) throws Exception {
        Context context = new Context(game, new Trial(game));
        game.start(context);
        few = fewOf(context);
        // The points of the turn so far, where a chain of jumps goes on.
        List<String> route = new ArrayList<>();
        List<JSONObject> all = List.of();
        List<JSONObject> fitting = all;
        while (played.size() < MOST_PLIES) {
            if (route.isEmpty()) {
                engine.commands.println("position startpos" + (played.isEmpty() ? "" : " moves " + String.join(" ", played)));
                String reason = engine.ask("reason");
                // Ludii notices that a player has no move when that player has passed.
                while (!reason.equals("none") && !context.trial().over() && hasOnlyPass(context)) {
                    game.apply(context, game.moves(context).moves().get(0));
                }
                boolean isOver = context.trial().over();
                if (isOver == reason.equals("none")) throw new IllegalStateException("over is " + isOver + " but there " + reason);
                if (isOver) {
                    compare("board", boardHere(context), boardThere());
                    compare("winner", winnerHere(context), winnerThere());
                    return true;
                }
                JSONArray moves = new JSONArray(engine.ask("moves"));
                all = IntStream.range(0, moves.length()).mapToObj(moves::getJSONObject).toList();
                fitting = all;
            }
            Map<String, Move> here = new TreeMap<>();
            for (Move move : game.moves(context).moves()) here.put(hop(move, !route.isEmpty()), move);
            TreeSet<String> there = new TreeSet<>();
            for (JSONObject move : fitting) there.add(next(move, route.size()));
            // A pass or a placement without a choice may be a ply of one of the two alone.
            if (route.isEmpty() && !here.keySet().equals(there)) {
                if (here.size() == 1 && here.keySet().iterator().next().matches("pass|@.*")) {
                    game.apply(context, here.values().iterator().next());
                    continue;
                }
                if (there.size() == 1 && there.first().matches("pass|@.*")) {
                    played.add(fitting.get(0).getString("move"));
                    continue;
                }
            }
            if (route.isEmpty()) {
                compare("board", boardHere(context), boardThere());
                positions++;
            }
            List<JSONObject> listed = all;
            String at = route.isEmpty() ? "" : route.get(route.size() - 1);
            // Two routes of a chain with the same captures and the same end are one move of reynard.
            if (here.keySet().removeIf(hop -> !there.contains(hop) && isOnAnotherRoute(hop.equals("stop") ? at : hop, listed))) merged++;
            if (!here.keySet().equals(there)) throw new IllegalStateException("moves " + here.keySet() + " but there " + there);
            List<String> choices = new ArrayList<>(here.keySet());
            String chosen = choices.get(random.nextInt(choices.size()));
            int depth = route.size();
            fitting = fitting.stream().filter(move -> next(move, depth).equals(chosen)).toList();
            int mover = context.state().mover();
            game.apply(context, here.get(chosen));
            boolean isJump = !chosen.startsWith("x") && fitting.get(0).getJSONArray("captured").length() > 0;
            boolean goesOn = isJump && !chosen.equals("stop") && context.state().mover() == mover && !context.trial().over();
            if (goesOn) {
                route.add(chosen);
            } else {
                int length = chosen.equals("stop") ? depth : depth + 1;
                JSONObject whole = fitting.stream().filter(move -> hops(move).size() <= length).findFirst()
                    .orElseThrow(() -> new IllegalStateException("the chain has ended with " + chosen));
                played.add(whole.getString("move"));
                route.clear();
            }
        }
        return false;
    }

    /** Whether some move visits the point that a hop leads to. */
    static boolean isOnAnotherRoute(String hop, List<JSONObject> moves) {
        String to = hop.substring(hop.indexOf('-') + 1);
        return moves.stream().map(Lockstep::hops)
            .anyMatch(hops -> hops.stream().anyMatch(each -> each.contains("-") && each.endsWith(to)));
    }

    boolean hasOnlyPass(Context context) {
        return game.moves(context).moves().size() == 1 && game.moves(context).moves().get(0).isPass();
    }

    /** The next hop of a move of reynard, or `stop` where it ends here. */
    static String next(JSONObject move, int depth) {
        List<String> hops = hops(move);
        return depth < hops.size() ? hops.get(depth) : "stop";
    }

    /** A move of reynard as hops: `a1-b1`, `@a1` for a piece put on, `xa1` for one taken off, `pass`. */
    static List<String> hops(JSONObject move) {
        List<String> hops = new ArrayList<>();
        String from = move.optString("from", null);
        if (move.isNull("from")) {
            for (String key : new String[] {"placed", "captured"}) {
                JSONArray changed = move.getJSONArray(key);
                String sign = key.equals("placed") ? "@" : "x";
                for (int index = 0; index < changed.length(); index++) hops.add(sign + changed.getJSONObject(index).getString("point"));
            }
            return hops.isEmpty() ? List.of("pass") : hops;
        }
        for (Object to : move.getJSONArray("path")) {
            hops.add(from + "-" + to);
            from = (String) to;
        }
        return hops;
    }

    /** A move of Ludii as a hop. */
    String hop(Move move, boolean isWithinChain) {
        if (move.isPass()) return isWithinChain ? "stop" : "pass";
        String from = names.get(move.fromNonDecision());
        String to = names.get(move.toNonDecision());
        if (move.actionType() == other.action.ActionType.Remove) return "x" + to;
        return from == null || from.equals(to) ? "@" + to : from + "-" + to;
    }

    /** The player with fewer pieces at the start, in hand and on the board. */
    int fewOf(Context context) {
        int[] pieces = new int[3];
        for (int container = 0; container < context.containers().length; container++) {
            int first = context.sitesFrom()[container];
            int sites = container == 0 ? game.board().numSites() : context.containers()[container].numSites();
            for (int site = first; site < first + sites; site++) {
                SiteType here = container == 0 ? type : SiteType.Cell;
                pieces[context.containerState(container).who(site, here)] += count(context, container, site, here);
            }
        }
        return pieces[1] < pieces[2] ? 1 : 2;
    }

    int count(Context context, int container, int site, SiteType here) {
        return game.isStacking()
            ? context.containerState(container).sizeStack(site, here)
            : context.containerState(container).count(site, here);
    }

    String boardHere(Context context) {
        Map<String, String> pieces = new TreeMap<>();
        for (int site = 0; site < game.board().numSites(); site++) {
            int who = context.containerState(0).who(site, type);
            int count = count(context, 0, site, type);
            if (who != 0 && count != 0) pieces.put(String.valueOf(names.get(site)), (who == few ? "fox" : "goose") + count);
        }
        return pieces.toString();
    }

    String boardThere() throws Exception {
        Map<String, String> pieces = new TreeMap<>();
        for (Object piece : new JSONArray(engine.ask("pieces"))) {
            JSONObject each = (JSONObject) piece;
            pieces.put(each.getString("point"), each.getString("kind") + each.getInt("count"));
        }
        return pieces.toString();
    }

    String winnerHere(Context context) {
        int winner = context.trial().status().winner();
        return winner == 0 ? "nobody" : winner == few ? "fox" : "goose";
    }

    String winnerThere() throws Exception {
        String result = engine.ask("result");
        if (result.equals("draw")) return "nobody";
        JSONObject rules = new JSONObject(engine.ask("rules"));
        String name = engine.ask(result.substring(0, 2) + "name");
        return name.equals(rules.getString("fox_side")) ? "fox" : "goose";
    }

    static void compare(String what, Object here, Object there) {
        if (!here.equals(there)) throw new IllegalStateException(what + " " + here + " but there " + there);
    }
}
