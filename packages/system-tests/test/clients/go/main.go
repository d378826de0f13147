// Reads a site through a client that oapi-codegen has generated, and prints what it found as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"strconv"

	"lobbystats.example/readsite/lobbystats"
)

func main() {
	ctx := context.Background()
	baseURL, titleID := os.Args[1], os.Args[2]
	leaderboardID, err := strconv.Atoi(os.Args[3])
	check(err)
	client, err := lobbystats.NewClientWithResponses(baseURL)
	check(err)

	games, err := client.ListGamesWithResponse(ctx, &lobbystats.ListGamesParams{Limit: pointer(3)})
	check(err)
	board, err := client.GetLeaderboardWithResponse(ctx, titleID, leaderboardID,
		&lobbystats.GetLeaderboardParams{Limit: pointer(2), Offset: pointer(1)})
	check(err)
	found, err := client.SearchByTimeWithResponse(ctx,
		&lobbystats.SearchByTimeParams{Time: "1:00", Tolerance: pointer(60000), Limit: pointer(2)})
	check(err)
	missing, err := client.GetGameByNameWithResponse(ctx, "no such game", nil)
	check(err)
	iso := lobbystats.GetNowParamsTime("iso")
	now, err := client.GetNowWithResponse(ctx, &lobbystats.GetNowParams{Time: &iso})
	check(err)
	changes, err := client.ListChangesWithResponse(ctx, &lobbystats.ListChangesParams{Limit: pointer(1)})
	check(err)

	names, ranks, players, times := []string{}, []string{}, []string{}, []int{}
	for _, game := range games.JSON200.Games {
		names = append(names, game.Name)
	}
	for _, entry := range board.JSON200.Entries {
		ranks = append(ranks, entry.Rank)
		players = append(players, entry.Name)
	}
	for _, row := range found.JSON200.Results {
		times = append(times, row.TimeMs)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"games":           names,
		"total":           games.JSON200.Total,
		"ranks":           ranks,
		"players":         players,
		"found":           times,
		"missing":         []any{missing.StatusCode(), missing.JSON404.Error},
		"slot":            now.JSON200.Slot,
		"changesHaveMore": changes.JSON200.HasMore,
	}))
}

func pointer[T any](value T) *T { return &value }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
